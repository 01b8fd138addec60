"""Questions about a trained model: occlusion, head ablation, head statistics, position ablation, arithmetic, contrasts.

May import evaluation and everything that evaluation may import.
"""
