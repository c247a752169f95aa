"""Settings of the test runs: property tests draw the same examples on every machine."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "p2pclimb",
    derandomize=True,
    deadline=None,  # a slow machine is not a failure
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("p2pclimb")
