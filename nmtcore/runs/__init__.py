"""Training runs in processes of their own: folder, queue, worker, resuming. May import evaluation and below."""
