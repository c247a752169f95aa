"""Reports from users of comparable programs, each tried here: by tests, or answered in words.

The reports are in cases/field_reports.json.  A report has tests, or an answer that stands in a
document for users; `LATER` are those about screens, the local network and replays, which this
program does not have yet.  They may have tests already for the part that can be tried.
"""

import json
from pathlib import Path

import pytest
from named_tests import missing

ROOT = Path(__file__).parents[1]
REPORTS = {
    report["id"]: report
    for report in json.loads((ROOT / "tests" / "cases" / "field_reports.json").read_text("utf-8"))
}

TESTS = {
    "laptop-sleep": [
        "network/test_bad_links.py::test_a_laptop_that_sleeps",
        "network/test_bad_links.py::test_a_laptop_that_wakes_up_in_another_network",
    ],
    "rejoin-face-down": [
        "node/test_resume.py::test_a_seat_that_was_cut_off_comes_back_with_its_hand_and_the_game_ends",
        "node/test_power_cuts.py::test_a_process_that_is_killed_again_and_again_finishes_its_game",
    ],
    "restored-backup-fork": [
        "table/test_simulator_faults.py::test_a_table_survives_each_kind_of_fault",
    ],
    "ace-low-straight": [
        "games/test_tienlen_clauses.py::test_clause_06_combinations",
        "games/test_tienlen_clauses.py::test_clause_06_what_is_no_combination_and_why",
        "games/test_tienlen_clauses.py::test_clause_06_twos_in_runs",
        "games/test_winner_clauses.py::test_clause_02_what_is_no_combination_and_why",
        "games/test_winner_clauses.py::test_clause_03_the_lowest_card_decides_and_suits_never_do",
        "games/test_rules_cases.py::test_classify",
    ],
    "ambiguous-width": [
        "ui/test_lines.py::test_ambiguous_glyphs_are_all_counted_alike",
        "ui/test_lines.py::test_columns_are_counted_for_the_widest_terminal",
        "ui/test_board.py::test_without_glyphs_the_board_is_ascii",
    ],
    "auth-no-retry": [
        "net/test_hostile_links.py::test_a_peer_refused_at_first_gets_in_without_dialling_anew"
    ],
    "bomb-tracking": [
        "games/test_winner_clauses.py::test_clause_05_bombs",
        "games/test_winner_clauses.py::test_clause_05_a_higher_one_of_the_same_class_wins",
        "games/test_tienlen_clauses.py::test_clause_08_each_is_beaten_by_a_higher_one_of_its_own_kind_and_length",
        "games/test_tienlen_clauses.py::test_clause_05_pass_locks_out_until_the_pile_is_cleared",
        "games/test_tienlen_clauses.py::test_clause_09_unbeaten_the_next_in_rotation_leads_even_if_it_had_passed",
        "games/test_rules_cases.py::test_sequence",
    ],
    "cannot-verify-complaint": [
        "audit/test_audit_history.py::test_every_card_and_pass_stands_in_its_trick",
        "audit/test_audit_history.py::test_a_listing_has_tags_first_then_one_trick_a_line",
        "e2e/test_demo_command.py::test_a_log_that_is_there_is_not_written_over",
    ],
    "clock-skew": [
        "node/test_clocks.py::test_the_calendar_is_read_for_the_first_day_of_a_contact_alone",
        "node/test_clocks.py::test_a_table_whose_clocks_leap_by_decades_is_played_to_its_end",
    ],
    "colour-blind": [
        "ui/test_cardtext.py::test_every_suit_can_be_told_without_colour",
        "ui/test_board.py::test_in_words_every_line_is_a_sentence",
    ],
    "colours-missing-256": [
        "ui/test_cardtext.py::test_four_colours_and_nothing_but_colour_is_added"
    ],
    "crash-after-sign": [
        "node/test_power_cuts.py::test_a_process_that_is_killed_again_and_again_finishes_its_game",
        "table/test_simulator_faults.py::test_a_table_survives_each_kind_of_fault",
        "node/test_disk.py::test_nothing_that_a_node_signs_is_sent_before_log_and_guard_are_on_disk",
        "store/test_guardfile.py::test_other_bytes_for_a_place_are_refused_also_after_a_restart",
        "table/test_session.py::test_what_is_signed_is_guarded_and_logged_with_all_it_builds_on_before_it_is_sent",
    ],
    "crash-ends-game": [
        "e2e/test_resume_command.py::test_a_player_who_is_killed_is_back_with_the_same_hand",
        "e2e/test_resume_command.py::test_everybody_adjourns_and_comes_back_by_every_name",
        "e2e/test_lobby_commands.py::test_a_guest_that_is_killed_is_told_away_and_waited_for",
    ],
    "cursor-hidden": [
        "e2e/test_terminals.py::test_a_signal_at_a_prompt_restores_the_terminal_and_takes_the_bots_along",
        "ui/test_console.py::test_going_by_a_key_keeps_the_seat_and_restores_the_terminal",
    ],
    "curve-not-enforced": [
        "net/test_hostile_links.py::test_an_unknown_key_is_refused_at_the_handshake",
        "net/test_hostile_links.py::test_a_client_without_encryption_is_refused_at_the_handshake",
        "net/test_hostile_links.py::test_a_key_removed_while_connected_is_not_heard_any_more",
        "net/test_hostile_links.py::test_nothing_starts_when_strangers_are_not_refused",
        "net/test_hostile_links.py::test_nothing_starts_when_the_zap_handler_does_not_answer",
    ],
    "dead-peer-asymmetric": [
        "network/test_bad_links.py::test_silence_in_one_direction",
        "net/test_hostile_links.py::test_a_frozen_cable_is_noticed_by_both_and_mended_by_itself",
        "net/test_hostile_links.py::test_the_default_times_notice_a_frozen_peer_within_ten_seconds",
    ],
    "duplicate-identity": [
        "net/test_links.py::test_a_peer_that_restarts_at_once_twenty_times_is_back_each_time",
        "net/test_hostile_links.py::test_two_programs_with_one_key_are_one_peer",
        "lobby/test_host_lobby.py::test_the_host_s_own_identity_is_refused_with_a_way_out",
        "e2e/test_identity_commands.py::test_an_identity_sits_at_a_table_once_and_sits_down_again_after_a_crash",
    ],
    "escape-in-received-name": [
        "audit/test_audit_damage.py::test_no_foreign_text_reaches_the_screen_unclean",
        "audit/test_audit_damage.py::test_file_names_are_made_printable",
        "ui/test_text.py::test_foreign_text_cannot_leave_its_line",
        "fuzz/test_fuzz.py::test_only_the_error_tree_escapes",
    ],
    "four-colour-deck": [
        "ui/test_cardtext.py::test_every_suit_can_be_told_without_colour",
        "ui/test_console.py::test_a_terminal_shows_suits_in_four_colours_and_the_status_below",
    ],
    "heartbeat-vs-large": [
        "net/test_hostile_links.py::test_the_default_times_carry_a_full_frame_at_10_kb_a_second",
        "net/test_hostile_links.py::test_a_slow_cable_carries_the_pieces_of_the_largest_record_without_a_disconnection",
    ],
    "huge-terminal": ["ui/test_lines.py::test_no_line_is_wider_than_asked_on_any_terminal"],
    "json-polluted": [
        "cli/test_json_output.py::test_standard_output_is_json",
        "cli/test_json_output.py::test_every_command_is_tried",
        "cli/test_json_output.py::test_warnings_are_words_on_standard_error",
        "e2e/test_demo_command.py::test_a_demo_is_valid_json_and_its_log_a_valid_table",
    ],
    "leaked-mucked-cards": [
        "ui/test_view.py::test_no_view_ever_holds_a_closed_card_of_another_seat",
        "ui/test_plain.py::test_no_closed_card_of_another_seat_is_ever_printed",
        "ui/test_jsonl.py::test_cards_that_one_seat_sees_are_told_only_when_asked_for",
        "ledger/test_hands.py::test_no_card_follows_from_what_the_public_knows",
        "node/test_hidden_hands.py::test_neither_frames_nor_files_hold_what_would_open_a_closed_card",
        "node/test_hidden_hands.py::test_errors_and_representations_of_a_node_hold_no_card_and_no_key",
    ],
    "lenient-notation": [
        "test_cards.py::test_notation_that_is_read",
        "test_cards.py::test_error_names_the_bad_token_and_nothing_else",
        "ui/test_typed.py::test_what_is_read",
        "ui/test_typed.py::test_what_is_no_card_is_named",
    ],
    "nickname-escapes": [
        "test_names.py::test_printable_has_no_character_that_moves_hides_or_reorders",
        "lobby/test_host_lobby.py::test_a_name_that_cannot_be_shown_is_refused_and_never_told_raw",
        "lobby/test_host_lobby.py::test_a_name_that_reads_like_another_s_is_refused",
        "ui/test_text.py::test_a_guest_is_shown_with_its_fingerprint_and_a_telling_name_quoted",
        "ui/test_people.py::test_a_name_cannot_close_its_own_quotes",
        "audit/test_audit_damage.py::test_a_name_cannot_pass_for_the_program",
    ],
    "no-fallback-after-lan": [
        "net/test_links.py::test_the_address_that_answers_is_found_among_dead_ones",
        "net/test_diagnosis.py::test_each_failure_has_its_reason_and_its_address",
        "e2e/test_lobby_commands.py::test_a_host_that_is_gone_and_one_that_is_another_are_told_with_the_address",
    ],
    "owner-leaves": [
        "node/test_resume.py::test_a_seat_that_was_cut_off_comes_back_with_its_hand_and_the_game_ends",
        "e2e/test_resume_command.py::test_a_player_who_is_killed_is_back_with_the_same_hand",
        "table/test_simulator_faults.py::test_a_table_survives_each_kind_of_fault",
        "node/test_whole_tables.py::test_the_host_has_no_rights_at_the_table_the_others_play_on_without_it",
        "node/test_node_edges.py::test_two_who_cannot_reach_each_other_play_through_the_third",
    ],
    "router-without-cap": [
        "net/test_hostile_links.py::test_an_oversized_message_costs_its_sender_the_link_and_nobody_else",
        "net/test_hostile_links.py::test_what_is_not_one_valid_frame_is_dropped_with_a_reason",
        "net/test_hostile_links.py::test_a_flood_is_cut_and_does_not_drown_a_friend",
        "net/test_connections.py::test_a_message_that_does_not_end_costs_its_sender_the_connection",
        "node/test_hostile_peers.py::test_a_message_beyond_all_bounds_costs_its_sender_the_link_and_nobody_else",
        "node/test_hostile_peers.py::test_a_flood_is_shut_out_and_the_others_play_on",
    ],
    "screen-reader": [
        "ui/test_plain.py::test_a_table_can_be_played_by_reading_the_lines",
        "ui/test_plain.py::test_with_words_nothing_but_ascii_is_printed_and_no_line_is_empty",
        "ui/test_console.py::test_plain_lines_hold_no_escape_sequence_and_no_glyph",
        "ui/test_board.py::test_in_words_every_line_is_a_sentence",
    ],
    "secret-in-argv": [
        "cli/test_invitations.py::test_without_a_word_the_environment_is_asked_and_then_the_person",
        "cli/test_invitations.py::test_a_word_may_be_the_invitation_or_name_its_file",
        "cli/test_invitations.py::test_help_names_the_ways_that_others_cannot_see_and_no_example_shows_an_invitation",
        "node/test_bot_processes.py::test_the_invitation_is_not_on_the_command_line",
        "lobby/test_host_lobby.py::test_an_invitation_admits_one_person",
    ],
    "verifier-raises": [
        "fuzz/test_fuzz.py::test_only_the_error_tree_escapes",
        "audit/test_audit_damage.py::test_any_bytes_give_a_report",
        "cli/test_audit_command.py::test_the_exit_code_says_the_verdict",
        "cli/test_audit_command.py::test_what_is_no_log_is_malformed",
    ],
    "version-mismatch-empty-error": [
        "net/test_wire.py::test_both_ranges_are_told_when_no_version_is_common",
        "net/test_hostile_links.py::test_a_newer_version_is_told_with_both_ranges",
        "lobby/test_guest_lobby.py::test_a_game_of_a_newer_program_is_told_apart",
        "net/test_invitation.py::test_a_newer_invitation_is_told_with_its_version",
    ],
    "windows-proactor": [
        "net/test_loop.py::test_windows_gets_a_selector_loop",
        "net/test_loop.py::test_run_uses_the_chosen_loop_and_gives_the_result",
    ],
}

ANSWERS = {
    "clock-skew": ("protocol.md", "nodes whose clocks are years apart"),
    "duplicate-identity": ("README.md", "Use an identity on one machine at a time."),
    "owner-leaves": ("protocol.md", "The host has no rights after that."),
    "secret-in-argv": ("README.md", "paste the invitation, or give a file, `-` or"),
    "windows-proactor": ("README.md", "Windows is kept possible, but was not tried."),
}

LATER = {
    "ambiguous-width": "the full screen, with glyphs twice as wide",
    "cannot-verify-complaint": "`audit --at`, which shows both combinations and what decided",
    "colour-blind": "marks on the full screen",
    "colours-missing-256": "the full screen at every depth of colour",
    "cursor-hidden": "the full screen: Ctrl-Z and errors",
    "escape-delay": "the keys of the full screen",
    "four-colour-deck": "the key that changes the colours",
    "huge-terminal": "the full screen at every size",
    "no-fallback-after-lan": "tables that are found on the local network",
    "step-through": "replays",
    "tiny-terminal": "the full screen at every size",
}


@pytest.mark.parametrize("report", REPORTS)
def test_a_report_is_tried_or_answered(report):
    assert report in {*TESTS, *ANSWERS, *LATER}, REPORTS[report]["symptom"]
    assert missing(TESTS.get(report, [])) == []
    if report in ANSWERS:
        document, answer = ANSWERS[report]
        assert answer in " ".join((ROOT / document).read_text("utf-8").split())


def test_only_reports_that_exist_are_spoken_of():
    assert {*TESTS, *ANSWERS, *LATER} <= {*REPORTS}
