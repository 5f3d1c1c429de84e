# SPDX-License-Identifier: GPL-3.0-or-later
"""What users are told when a check is not possible."""


class Refused(Exception):
    """The scene cannot be checked; the message says why, in a sentence."""


class Cancelled(Exception):
    """The user ended the check."""
