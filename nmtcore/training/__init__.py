"""Training: settings, corpus, batches, augmentation, loss, schedule, training loop, resuming, processes, exercises.

May import decoding and everything that decoding may import.
"""
