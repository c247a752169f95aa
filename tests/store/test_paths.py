import pytest

from p2pclimb.errors import UsageError
from p2pclimb.store.paths import find_paths


def test_the_flag_comes_before_the_variable_before_the_default(tmp_path):
    variable = {"P2PCLIMB_HOME": str(tmp_path / "variable")}
    assert find_paths(str(tmp_path / "flag"), variable).root == tmp_path / "flag"
    assert find_paths(None, variable).root == tmp_path / "variable"
    assert find_paths(None, {"P2PCLIMB_HOME": ""}).root.name == "p2pclimb"
    assert find_paths(None, {}) == find_paths(None, {"P2PCLIMB_HOME": ""})


def test_everything_lives_under_the_root(tmp_path):
    paths = find_paths(str(tmp_path), {})
    assert paths.log("friday") == tmp_path / "tables" / "friday.climb"
    assert {paths.identity.parent, paths.contacts.parent, paths.tables.parent} == {tmp_path}


def test_the_logs_are_listed_by_name_and_nothing_else_is(tmp_path):
    paths = find_paths(str(tmp_path), {})
    assert paths.logs() == []
    paths.tables.mkdir()
    for name in ("b.climb", "a.climb", "a.climb.lock", "a.climb.guard"):
        (paths.tables / name).touch()
    assert paths.logs() == [paths.log("a"), paths.log("b")]


def test_a_relative_root_does_not_move_with_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_paths("here", {}).root == tmp_path / "here"


def test_an_empty_flag_is_refused():
    with pytest.raises(UsageError, match="--data-dir"):
        find_paths("", {"P2PCLIMB_HOME": "/tmp"})  # noqa: S108


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", ".hidden", "-flag", "a\n", "x" * 101])
def test_a_table_name_cannot_leave_the_directory(tmp_path, name):
    with pytest.raises(UsageError, match="cannot name a table"):
        find_paths(str(tmp_path), {}).log(name)
