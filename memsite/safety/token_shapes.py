"""Tokens that services mark with a prefix of their own: known by that and by their length, wherever they stand.

They repeat what the engine knows for machines that have no wheel of it, and add what it does not know. An alphabet is
a regular expression's set; one for hexadecimal digits alone needs a prefix that nobody else puts before a checksum.
"""

from __future__ import annotations

HEX, BASE62, URLSAFE = "0-9a-f", "A-Za-z0-9", r"\w-"

TOKENS = (
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", BASE62, "36,255"),
    ("github-token", "github_pat_", r"\w", "60,100"),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- gloas-",
        URLSAFE,
        "20,64",
    ),
    ("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-", "A-Za-z0-9-", "20,250"),
    ("slack-token", "xapp-1-", "A-Za-z0-9-", "40,250"),
    ("model-api-key", "sk-or-v1- sk-", HEX, "32,64"),
    ("model-api-key", "gsk_", BASE62, "50,60"),
    ("model-api-key", "xai-", BASE62, "70,90"),
    ("model-api-key", "pplx-", BASE62, "48,56"),
    ("model-api-key", "r8_", BASE62, "37,40"),
    ("google-api-key", "AIza", URLSAFE, "35"),
    ("google-oauth-secret", "GOCSPX-", URLSAFE, "28"),
    ("google-refresh-token", "1//0", URLSAFE, "50,200"),
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", BASE62, "16,99"),
    ("webhook-secret", "whsec_", "A-Za-z0-9+/=", "24,64"),
    ("npm-token", "npm_", BASE62, "36"),
    ("pypi-token", "pypi-AgE", URLSAFE, "50,300"),
    ("rubygems-token", "rubygems_", HEX, "48"),
    ("docker-token", "dckr_pat_ dckr_oat_", URLSAFE, "24,64"),
    ("huggingface-token", "hf_", "A-Za-z", "34"),
    ("twilio-key", "SK", HEX, "32"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", HEX, "64"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", "0-9a-fA-F", "32"),
    ("atlassian-token", "ATATT3xFfG ATCTT3xFfG", r"\w=-", "60,300"),
    ("linear-key", "lin_api_", BASE62, "40"),
    ("notion-token", "ntn_", BASE62, "40,50"),
    ("vault-token", "hvs. hvb. hvr.", URLSAFE, "24,300"),
    ("grafana-token", "glsa_", r"\w", "41"),
    ("grafana-token", "glc_", "A-Za-z0-9+/=", "40,400"),
    ("sentry-token", "sntryu_", HEX, "64"),
    ("sentry-token", "sntrys_", r"\w=+/", "60,400"),
    ("postman-key", "PMAK-", "0-9a-f-", "59"),
    ("databricks-token", "dapi", HEX, "32"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"\w.-", "32,64"),
    ("supabase-token", "sbp_ sb_secret_", r"\w", "30,60"),
    ("figma-token", "figd_", URLSAFE, "38,60"),
    ("newrelic-key", "NRAK-", "A-Z0-9", "27"),
    ("doppler-token", "dp.pt. dp.st. dp.ct.", r"\w.", "40,60"),
    ("age-secret-key", "AGE-SECRET-KEY-1", "A-Z0-9", "58"),
)
"""Rule, prefixes, alphabet of what follows, and how much of it there is."""


def token_pattern(prefixes: str, alphabet: str, length: str) -> str:
    """A regular expression for tokens of these prefixes, with no character of the alphabet on either side."""
    names = "|".join(prefix.replace(".", r"\.") for prefix in prefixes.split())
    return rf"(?<![A-Za-z0-9_-])(?:{names})[{alphabet}]{{{length}}}(?![A-Za-z0-9_])"
