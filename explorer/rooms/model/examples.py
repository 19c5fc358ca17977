"""Texts to try a model with. They are what is run, so they are in the models' language."""

from __future__ import annotations

TIRED = "The animal did not cross the street because it was too tired"

EXAMPLES = (
    TIRED,
    # The two words that "it" can mean change places with one word.
    "The animal did not cross the street because it was too wide",
    # Wang et al. 2022, https://arxiv.org/abs/2211.00593
    "When Mary and John went to the shop, John gave a drink to",
    # A verb that agrees with a word further back.
    "The keys to the cabinet are on the table",
    "The lighthouse stood at the end of a narrow pier, and for forty years the same woman had kept"
    " its lamp. Her name was Ingrid, and she had learned the work from her father, who had learned"
    " it from his. Every evening she climbed the ninety-one steps with a can of oil, a cloth and a"
    " small brass clock.\n\n"
    "One autumn a young engineer named Tomas came from the city to replace the lamp with an"
    " electric one. He brought three crates of cable and a machine that hummed. Ingrid watched him"
    " work and said very little. On the third night a storm broke over the coast, and the machine"
    " fell silent. Tomas ran up the stairs with a torch in his hand, but the new lamp would not"
    " light.\n\n"
    "Then he heard her steps behind him. Ingrid had carried up the old lamp, which she had wrapped"
    " in a blanket, together with the oil and the clock. She lit the wick, set it behind the glass"
    " and began to turn the lens by hand.",
)
