namespace ScaleOut.Bench.Processes;

/// <summary>
/// A second instance of this program that runs as a server, so that its CPU time can be measured separately. Its first line of output says
/// how to reach it. It ends when its standard input is closed.
/// </summary>
public sealed class ServerProcess<TReady> : IDisposable
{
    private readonly Process _process;

    internal ServerProcess(Process process, TReady handshake) => (_process, Ready) = (process, handshake);

    public TReady Ready { get; }

    public int Id => _process.Id;

    public TimeSpan CpuTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
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

    /// <summary>Sends the server a line and waits for its response.</summary>
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
