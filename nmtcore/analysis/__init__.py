"""Questions about a trained model: occlusion, head ablation, head statistics, position ablation, arithmetic, contrasts.

It may import evaluation and below.
"""
