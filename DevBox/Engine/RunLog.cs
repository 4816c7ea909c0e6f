using Microsoft.Extensions.Logging;
using ScaleOut.DevBox.Processes;

namespace ScaleOut.DevBox.Engine;

/// <summary>Writes what is logged of a run into the log file in its folder.</summary>
internal sealed class RunLog(RunFolder folder) : ILogger
{
    /// <inheritdoc/>
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    /// <inheritdoc/>
    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    /// <inheritdoc/>
    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (IsEnabled(logLevel))
            _ = ProcessLog.TryAppendAsync(folder.OwnLog, $"{logLevel}: {formatter(state, exception)}{(exception is null ? "" : $" {exception}")}");
    }
}
