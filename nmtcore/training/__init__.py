"""Training: corpus, batches, augmentation, loss, schedule, training loop, resuming, several processes, exercises.

It may import decoding and below.
"""
