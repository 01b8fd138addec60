"""Training: settings, corpus, batches, augmentation, loss, schedule, training loop, resuming, processes, exercises.

It may import decoding and below.
"""
