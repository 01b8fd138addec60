"""Training: corpus, batches, augmentation, loss, schedule, fit, several processes. May import decoding and below."""
