using Microsoft.Extensions.Logging;
using ScaleOut.DevBox.Commands;
using ScaleOut.DevBox.Processes;

namespace ScaleOut.DevBox.Serving;

/// <summary>Writes what the server logs into a file; an error also gets its line on the console, which names the file.</summary>
internal sealed class ServerLog(string file) : ILoggerProvider, ILogger
{
    /// <inheritdoc/>
    public ILogger CreateLogger(string categoryName) => this;

    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

    /// <inheritdoc/>
    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (!IsEnabled(logLevel))
            return;
        if (exception is null)
            _ = ProcessLog.TryAppendAsync(file, $"{logLevel}: {formatter(state, exception)}");
        else
            ErrorLines.WriteUnexpected(exception, file);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
    }
}
