namespace ScaleOut.DevBox.Engine;

/// <summary>Writes a run's log messages to the log file in its folder.</summary>
/// <param name="folder">The run's.</param>
/// <param name="onWarning">Receives warnings and errors too, for the displays; null if others show them.</param>
internal sealed class RunLog(RunFolder folder, Action<string>? onWarning = null) : ILogger
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
            return;
        var text = formatter(state, exception);
        _ = ProcessLog.TryAppendAsync(folder.OwnLog, $"{logLevel}: {text}{(exception is null ? "" : $" {exception}")}");
        if (logLevel >= LogLevel.Warning)
            onWarning?.Invoke(text);
    }
}
