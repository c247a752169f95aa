"""The catalogue of attacks on mental poker, row by row, and what keeps trying each here.

A row has tests, or a sentence of protocol.md that says why it cannot apply or what is left of it.
"""

from pathlib import Path

import pytest
from named_tests import missing

ATTACKS = {
    1: "residues and subgroups tell cards apart",
    2: "codewords whose ratios are known",
    3: "a key made from the others' keys",
    4: "invalid, second and low-order encodings of points",
    5: "the identity where a point belongs",
    6: "a library that swallows errors",
    7: "second forms of scalars",
    8: "a shuffle whose challenge leaves the output out",
    9: "generators with a trapdoor",
    10: "equal logarithms whose challenge leaves something out",
    11: "replay elsewhere",
    12: "a shuffle of another deck, skipped or done twice",
    13: "cards doubled or replaced",
    14: "getting others to open what should stay closed",
    15: "different stories for different players",
    16: "keys used again in another deal",
    17: "two places with one mask",
    18: "quitting after having seen one's hand",
    19: "colluding",
    20: "choosing one's coin by those of others",
    21: "a wrong share blamed on another",
    22: "cards that are not one's own, or were played",
    23: "second forms of signatures, keys under which one fits many",
    24: "a log cut, reordered, mixed",
    25: "input that is huge or deep",
    26: "nonces that repeat",
    27: "predictable randomness",
    28: "telling secrets by the time that work takes",
}

TESTS = {
    1: [
        "crypto/test_forged_proofs.py::test_deck_cannot_be_read_by_multiples",
        "crypto/test_forged_proofs.py::test_deck_cannot_be_read_by_fixed_powers",
        "crypto/test_forged_proofs.py::test_deck_cannot_be_read_by_differences",
        "crypto/test_group.py::test_multiples_of_the_generator_are_those_of_rfc_9496",
    ],
    2: [
        "crypto/test_masking.py::test_card_points_are_those_of_the_protocol",
        "crypto/test_masking.py::test_no_card_is_a_sum_or_a_multiple_of_others",
    ],
    3: [
        "crypto/test_forged_proofs.py::test_rogue_key_needs_a_table_without_proofs_of_possession",
        "ledger/test_step_reveal.py::test_a_rogue_key_cannot_be_revealed",
        "ledger/test_step_reveal.py::test_a_key_without_a_proof_of_its_secret_is_refused",
        "ledger/test_step_reveal.py::test_a_possession_proof_of_elsewhere_is_refused",
        "ledger/test_step_reveal.py::test_seats_with_one_key_are_out_and_the_others_begin_anew",
    ],
    4: [
        "crypto/test_group.py::test_bad_encodings_of_rfc_9496_are_refused",
        "crypto/test_group.py::test_wrong_types_and_lengths_are_refused",
        "crypto/test_proof_fields.py::test_malformed_field_is_refused_as_such",
        "ledger/test_step_headers.py::test_rows_4_and_5_no_field_takes_what_is_no_point_or_the_identity",
    ],
    5: [
        "crypto/test_group.py::test_identity_is_refused_when_decoding",
        "crypto/test_shuffle.py::test_identity_is_refused_everywhere",
        "crypto/test_shares.py::test_identity_is_refused_as_key_share_or_place",
        "crypto/test_absence.py::test_identity_is_refused_as_key_or_place",
        "crypto/test_transfer.py::test_the_identity_is_refused_as_key_place_or_transfer",
        "ledger/test_step_lowest.py::test_the_point_of_a_pair_must_not_be_the_identity",
        "ledger/test_step_headers.py::test_rows_4_and_5_no_field_takes_what_is_no_point_or_the_identity",
    ],
    6: [
        "crypto/test_group.py::test_each_primitive_raises_on_a_bad_point",
        "crypto/test_group.py::test_return_codes_of_the_functions_that_never_fail_are_checked_too",
    ],
    7: [
        "crypto/test_group.py::test_unreduced_scalars_are_refused",
        "crypto/test_forged_proofs.py::test_second_form_of_a_response_needs_a_decoder_without_range",
        "crypto/test_forged_proofs.py::test_second_form_of_a_shuffle_needs_a_decoder_without_range",
    ],
    8: [
        "crypto/test_forged_shuffles.py::test_stacked_deck_needs_weights_that_ignore_the_output",
        "crypto/test_forged_shuffles.py::test_made_up_input_needs_weights_that_ignore_the_input",
    ],
    9: [
        "crypto/test_forged_shuffles.py::test_copies_of_one_card_need_trapdoor_generators",
        "crypto/test_forged_shuffles.py::test_trapdoor_without_known_cards_gives_no_card",
        "crypto/test_shuffle.py::test_generators_are_those_of_the_protocol",
        "ledger/test_step_headers.py::test_bodies_of_another_form_are_refused",
    ],
    10: [
        "crypto/test_forged_proofs.py::test_wrong_share_needs_a_challenge_that_ignores_the_shares",
        "crypto/test_forged_proofs.py::test_made_up_place_needs_a_challenge_that_ignores_the_places",
        "crypto/test_proof_vectors.py::test_no_absorbed_item_can_be_dropped",
    ],
    11: [
        "ledger/test_attacks.py::test_row_11_is_tried_for_every_kind_of_step",
        "ledger/test_attacks.py::test_row_11_no_entry_counts_at_another_place",
        "ledger/test_attacks.py::test_row_11_no_entry_counts_at_another_table",
    ],
    12: [
        "ledger/test_attacks.py::test_row_12_a_log_that_skips_or_repeats_a_shuffler_goes_nowhere",
        "ledger/test_step_shuffle.py::test_a_shuffle_of_a_stale_deck_is_refused",
        "ledger/test_step_shuffle.py::test_nobody_shuffles_for_another_or_twice",
    ],
    13: [
        "crypto/test_shuffle.py::test_tampered_deck_is_refused",
        "crypto/test_shuffle.py::test_plain_copy_of_a_place_is_refused",
        "ledger/test_step_shuffle.py::test_the_output_cannot_be_changed_after_the_proof",
        "ledger/test_hands.py::test_one_card_is_never_opened_twice",
        "ledger/test_hands.py::test_something_that_is_no_card_is_never_opened",
    ],
    14: [
        "table/test_secrecy.py::test_shares_are_only_owed_for_places_of_others",
        "table/test_secrecy.py::TestOracle",
        "ledger/test_step_shares.py::test_no_share_has_a_place_before_everybody_agreed",
        "ledger/test_step_shares.py::test_a_share_for_ones_own_place_instead_of_anothers_is_refused",
        "ledger/test_step_shares.py::test_a_share_for_a_place_that_is_not_dealt_is_refused",
    ],
    15: [
        "table/test_sync.py::test_row_15_a_split_view_comes_to_light_and_no_share_leaves_an_honest_seat",
        "audit/test_audit_verdicts.py::test_two_entries_for_a_place_prove_equivocation",
        "node/test_hostile_peers.py::test_two_different_entries_for_one_place_convict_their_author_everywhere",
        "table/test_simulator_faults.py::test_a_table_survives_each_lie",
    ],
    16: [
        "ledger/test_attacks.py::test_row_16_keys_of_one_deal_are_refused_in_the_next",
        "ledger/test_step_reveal.py::test_later_deals_are_dealt_by_the_loser_and_keys_are_never_used_twice",
        "crypto/test_shares.py::test_key_of_an_earlier_deal_is_refused",
        "table/test_secrecy.py::test_secrets_are_scalars_of_the_group_and_new_for_every_attempt",
    ],
    17: ["crypto/test_forged_shuffles.py::test_equal_masks_need_a_verifier_that_ignores_them"],
    18: [
        "ledger/test_attacks.py::test_row_18_whoever_quits_before_giving_its_shares_is_named_and_left_behind",
        "ledger/test_attacks.py::test_row_18_several_quitters_pay_those_who_stay",
        "ledger/test_step_shares.py::test_a_seat_that_leaves_at_the_shares_pays_for_the_hand_it_may_have_seen",
        "ledger/test_absence.py::test_who_is_absent_at_the_shares_pays_for_the_hand_it_may_have_seen",
    ],
    19: [
        "crypto/test_masking.py::test_all_but_one_share_give_nothing",
        "ledger/test_attacks.py::test_row_19_the_secrets_of_all_but_one_open_no_card_of_a_half_dealt_deck",
    ],
    20: [
        "ledger/test_step_reveal.py::test_a_copied_commitment_cannot_be_opened_with_what_its_owner_reveals",
        "ledger/test_step_reveal.py::test_what_is_revealed_must_be_what_was_committed_to",
    ],
    21: [
        "crypto/test_shares.py::test_one_wrong_share_is_noticed_and_convicts_its_author_alone",
        "ledger/test_step_shares.py::test_one_wrong_share_is_laid_to_its_author",
    ],
    22: [
        "ledger/test_step_turn.py::test_a_card_of_another_hand_is_refused",
        "ledger/test_step_turn.py::test_an_undealt_card_is_refused",
        "ledger/test_step_turn.py::test_a_card_that_was_played_is_refused",
        "games/test_conformance.py::test_what_is_listed_is_accepted_and_what_is_refused_is_not_listed",
        "fuzz/test_fuzz.py::test_only_the_error_tree_escapes",
    ],
    23: [
        "crypto/test_identity.py::test_second_form_of_a_signature_is_refused",
        "crypto/test_identity.py::test_keys_of_small_order_are_refused",
        "crypto/test_identity.py::test_non_canonical_keys_are_refused",
        "ledger/test_entry.py::test_the_second_form_of_a_signature_is_refused",
        "ledger/test_terms.py::test_a_bad_seat_is_refused",
        "audit/test_audit_verdicts.py::test_a_bad_signature_proves_nothing_about_anybody",
    ],
    24: [
        "ledger/test_attacks.py::test_row_24_a_log_without_one_of_its_entries_is_incomplete",
        "ledger/test_attacks.py::test_row_24_a_truncated_log_is_incomplete_and_says_who_is_waited_for",
        "ledger/test_attacks.py::test_row_24_any_order_of_records_tells_the_same_history",
        "ledger/test_attacks.py::test_row_24_an_entry_of_another_log_in_the_middle_is_refused",
        "audit/test_audit_damage.py::test_a_file_cut_anywhere_is_never_valid",
        "audit/test_audit_damage.py::test_records_swapped_dropped_repeated_and_foreign",
    ],
    25: [
        "ledger/test_attacks.py::test_row_25_nothing_large_or_deep_gets_as_far_as_a_proof",
        "ledger/test_codec.py::test_hostile_bytes_are_given_up_before_they_take_room_or_time",
        "ledger/test_entry.py::test_what_is_too_large_is_refused_before_it_is_read",
        "fuzz/test_fuzz.py::test_only_the_error_tree_escapes",
    ],
    26: [
        "crypto/test_transcript.py::test_nonces_stay_apart_when_the_randomness_repeats",
        "crypto/test_sigma.py::test_repeated_randomness_does_not_give_the_key_away",
        "crypto/test_shuffle.py::test_repeated_randomness_gives_other_nonces_for_another_deck",
    ],
    27: [
        "crypto/test_crypto_purity.py::test_only_harmless_modules_are_imported",
        "test_floors.py::test_the_lower_floors_import_nothing_impure",
        "crypto/test_entropy.py::test_all_permutations_are_equally_frequent",
    ],
    28: [
        "table/test_decisions.py::test_every_answer_comes_exactly_at_the_end_of_the_time_whatever_was_decided"
    ],
}

SENTENCES = {
    18: "Whoever leaves in a deal pays as its loser, and not more.",
    19: "n − 1 seats together know all cards that were dealt to them; when the whole pack is dealt "
    "they know the last hand.",
    28: "Scalar multiplication is constant-time in libsodium; the integer arithmetic around it in "
    "Python is not.",
}

PROTOCOL = " ".join((Path(__file__).parents[1] / "protocol.md").read_text("utf-8").split())


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: f"{row} {ATTACKS[row]}")
def test_an_attack_is_tried_or_answered(row):
    assert row in TESTS or row in SENTENCES
    assert missing(TESTS.get(row, [])) == []
    if row in SENTENCES:
        assert SENTENCES[row] in PROTOCOL


def test_no_row_is_left_out():
    assert [*ATTACKS] == [*range(1, 29)]
    assert {*TESTS, *SENTENCES} <= {*ATTACKS}


def test_a_test_that_is_not_there_is_noticed():
    there = "test_floors.py::test_imports_go_downwards_only"
    gone = ["test_floors.py::test_nothing", "no/test_file.py::test_it", "named_tests.py::missing"]
    assert missing([there, *gone]) == gone
