"""Training runs in processes of their own: settings, folder, queue, worker, rehearsal.

It may import views and below.
"""
