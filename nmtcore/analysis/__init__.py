"""Questions about a trained model: occlusion, head ablation, arithmetic, contrasts. May import evaluation and below."""
