"""Fine-tune: train a small model and watch its alignment take shape."""
