namespace ScaleOut.DevBox.Serving;

/// <summary>Writes what the server logs into a file; an error also gets its line on the console, which names the file.</summary>
internal sealed class ServerLog(string file) : ILoggerProvider, ILogger
{
    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
            return;
        if (exception is null)
            ProcessLog.Append(file, $"{logLevel}: {formatter(state, exception)}");
        else if (!LocalServer.IsPortTaken(exception))
            ErrorLines.WriteUnexpected(exception, file);
    }

    public void Dispose()
    {
    }
}
