"""The families of models that can be opened, by the `model_type` of their configuration."""

from explorer.models.families import (
    bert,
    distilbert,
    gpt2,
    gpt_neox,
    llama,
    mistral,
    qwen2,
    qwen3,
    roberta,
)
from explorer.models.plan import Family

FAMILIES: dict[str, Family] = {
    "bert": bert.FAMILY,
    "roberta": roberta.FAMILY,
    "distilbert": distilbert.FAMILY,
    "gpt2": gpt2.FAMILY,
    "gpt_neox": gpt_neox.FAMILY,
    "llama": llama.FAMILY,
    "mistral": mistral.FAMILY,
    "qwen2": qwen2.FAMILY,
    "qwen3": qwen3.FAMILY,
}
