namespace ScaleOut.DevBox.Processes;

/// <summary>
/// A worker as an operating-system process of its own. The process runs one leg at a time, and lives for all legs, so that its client is
/// made once.
/// </summary>
internal sealed class WorkerProcess : IAsyncDisposable
{
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(2);

    private readonly Process _process;
    private readonly Action<WorkerProgress> _onProgress;
    private readonly Task _reading;
    private readonly Task _logging;
    private readonly Lock _gate = new();
    private TaskCompletionSource<LegOutput>? _leg;
    private bool _ended;

    private WorkerProcess(Process process, string logFile, Action<WorkerProgress> onProgress)
    {
        _process = process;
        _onProgress = onProgress;
        _logging = ProcessLog.CopyAsync(process.StandardError, logFile);
        _reading = ReadAsync();
    }

    public int Id => _process.Id;

    /// <summary>Whether the process has not been seen to end.</summary>
    public bool Alive
    {
        get
        {
            lock (_gate)
                return !_ended;
        }
    }

    /// <summary>Starts a worker process.</summary>
    /// <param name="onProgress">Takes what the process reports besides the results of its legs. Called from many threads.</param>
    /// <param name="operations">Most operations that the worker is going to do; null if that is not known.</param>
    public static WorkerProcess Start(
        WorkerHandshake handshake,
        string runId,
        int worker,
        string logFile,
        Action<WorkerProgress> onProgress,
        IReadOnlyList<int>? cpus = null,
        long? operations = null)
    {
        var index = worker.ToString(CultureInfo.InvariantCulture);
        var start = SelfProcess.ForLoad(operations, "worker", "--run", runId, "--index", index);
        // The concurrent collector keeps the youngest generation at 6 MB. Thousands of bulk operations in flight outlive it, and would be
        // copied at every collection.
        start.Environment["DOTNET_gcConcurrent"] = "0";
        var process = Start(start, cpus)
            ?? throw new InvalidOperationException("The worker's process did not start.");
        var started = new WorkerProcess(process, logFile, onProgress);
        started.TryWrite(ProcessLines.Write(handshake));
        return started;
    }

    private static Process? Start(ProcessStartInfo start, IReadOnlyList<int>? cpus)
    {
        if (cpus is null)
            return Process.Start(start);
        start.Environment["DOTNET_PROCESSOR_COUNT"] = cpus.Count.ToString(CultureInfo.InvariantCulture);
        var process = CoreSet.RunBound(cpus, () => Process.Start(start));
        if (process is not null && OperatingSystem.IsWindows())
            process.ProcessorAffinity = CoreSet.MaskOf(cpus);
        return process;
    }

    /// <summary>Runs one leg.</summary>
    /// <exception cref="LegLostException">The process ended, or the leg failed in it.</exception>
    /// <exception cref="OrchestrationTaskException">The leg failed in the process, and would fail again.</exception>
    public Task<LegOutput> RunLegAsync(LegInput leg)
    {
        var completion = new TaskCompletionSource<LegOutput>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_ended)
                throw new LegLostException("The worker's process has ended.");
            if (_leg is { Task.IsCompleted: false })
                throw new InvalidOperationException("The worker's process is already running a leg.");
            _leg = completion;
        }

        // If the write fails, the process is ending. The reader sees that and completes the leg.
        TryWrite(ProcessLines.Write(leg));
        return completion.Task;
    }

    /// <summary>Ends the process at once.</summary>
    public void Kill() => ProcessEnd.Kill(_process);

    /// <summary>Ends the process by closing its standard input, and kills it if that does not help.</summary>
    public async ValueTask DisposeAsync()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // The process is gone already.
        }

        await ProcessEnd.WaitOrKillAsync(_process, EndTimeout);
        await _reading;
        await _logging;
        _process.Dispose();
    }

    private void TryWrite(string line)
    {
        try
        {
            _process.StandardInput.Write(line + '\n');
            _process.StandardInput.Flush();
        }
        catch (IOException)
        {
            // The process is gone. Its reader reports that.
        }
    }

    private async Task ReadAsync()
    {
        try
        {
            while (await _process.StandardOutput.ReadLineAsync() is { } line)
                Take(ProcessLines.Read<WorkerMessage>(line));
        }
        catch (IOException)
        {
            // A broken pipe is treated as the end of the process.
        }

        await ProcessEnd.WaitOrKillAsync(_process, EndTimeout);
        lock (_gate)
        {
            _ended = true;
            _leg?.TrySetException(new LegLostException($"worker process {_process.Id} ended ({ProcessEnd.Describe(_process)})"));
        }
    }

    private void Take(WorkerMessage? message)
    {
        if (message?.Progress is { } progress)
            _onProgress(progress);
        else if (message?.Leg is { } leg)
            _leg?.TrySetResult(leg);
        else if (message?.Lost is { } lost)
            _leg?.TrySetException(new LegLostException(lost));
        else if (message?.Failure is var (type, text))
            _leg?.TrySetException(new OrchestrationTaskException(FunctionNames.RunLeg, type, text));
    }
}
