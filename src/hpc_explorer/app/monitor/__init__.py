"""Watch workflow runs: fit and predict their times, find slow jobs and anomalous measurements."""
