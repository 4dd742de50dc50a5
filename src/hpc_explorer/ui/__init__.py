"""The window: the only place that knows Qt. It shows what `app` returns and takes the clicks."""
