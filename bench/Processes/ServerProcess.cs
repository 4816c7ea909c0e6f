namespace ScaleOut.Bench.Processes;

/// <summary>
/// This program once more, as a server of its own whose CPU time can be measured apart; its ready line says how to reach it and ends with
/// its standard input.
/// </summary>
public sealed class ServerProcess<TReady> : IDisposable
{
    private readonly Process _process;

    internal ServerProcess(Process process, TReady handshake) => (_process, Ready) = (process, handshake);

    public TReady Ready { get; }

    public TimeSpan CpuTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public long WorkingSetBytes
    {
        get
        {
            _process.Refresh();
            return _process.WorkingSet64;
        }
    }

    public long PeakWorkingSetBytes
    {
        get
        {
            _process.Refresh();
            return _process.PeakWorkingSet64;
        }
    }

    /// <summary>Asks the server something, and waits for its response.</summary>
    /// <param name="line">What it understands.</param>
    /// <exception cref="InvalidOperationException">It has ended.</exception>
    public async Task<string> AskAsync(string line)
    {
        await _process.StandardInput.WriteLineAsync(line);
        await _process.StandardInput.FlushAsync();
        return await _process.StandardOutput.ReadLineAsync() ?? throw new InvalidOperationException("The server has ended.");
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
            _process.Kill();
        _process.Dispose();
    }
}
