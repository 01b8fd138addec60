"""Training runs in their own processes: settings, folder, queue, worker, rehearsal.

May import views and everything that views may import.
"""
