namespace ScaleOut.DevBox.Processes;

/// <summary>
/// A worker as an operating-system process of its own. The process runs one leg at a time. It is reused for all legs of the worker, so that
/// its client is created once.
/// </summary>
internal sealed class WorkerProcess : IAsyncDisposable
{
    /// <summary>How long a process that runs a leg may send nothing. It sends something at least every second.</summary>
    public static readonly TimeSpan Silence = TimeSpan.FromSeconds(30);

    /// <summary>Silence after which there is a warning.</summary>
    private static readonly TimeSpan LongSilence = TimeSpan.FromSeconds(10);

    /// <summary>A process may take longer to begin, because hundreds of them may start at once.</summary>
    private const int StartFactor = 10;

    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(2);

    private readonly Process _process;
    private readonly Action<WorkerProgress> _onProgress;
    private readonly TimeSpan _silence;
    private readonly Action<string>? _onSilence;
    private readonly Task _reading;
    private readonly Task<string?> _logging;
    private readonly Lock _gate = new();
    private TaskCompletionSource<LegOutput>? _leg;
    private Task _writing = Task.CompletedTask;
    private bool _ended;
    private long _messages;
    private string? _whyKilled;

    private WorkerProcess(
        Process process, string logFile, Action<WorkerProgress> onProgress, TimeSpan silence, Action<string>? onSilence)
    {
        (_process, _onProgress, _silence, _onSilence) = (process, onProgress, silence, onSilence);
        _logging = ProcessLog.CopyAsync(process.StandardError, logFile);
        _reading = ReadAsync();
    }

    public int Id => _process.Id;

    /// <summary>Whether the process has not been seen to end, and was not ended by this program.</summary>
    public bool Alive
    {
        get
        {
            lock (_gate)
                return !_ended && Volatile.Read(ref _whyKilled) is null;
        }
    }

    /// <param name="onProgress">Takes what the process reports besides the results of its legs. Called from many threads.</param>
    /// <param name="silence">How long the process may send nothing while it runs a leg, such as <see cref="Silence"/>.</param>
    /// <param name="onSilence">Receives a warning about a process that sends nothing for long. Optional.</param>
    public static WorkerProcess Start(
        ProcessStart worker, Action<WorkerProgress> onProgress, TimeSpan silence, Action<string>? onSilence = null)
    {
        var index = worker.Index.ToString(CultureInfo.InvariantCulture);
        var start = SelfProcess.ForLoad(worker.Operations, "worker", "--run", worker.RunId, "--index", index);
        // The concurrent collector keeps the youngest generation at 6 MB. Thousands of bulk operations in flight outlive it, and would be
        // copied at every collection.
        start.Environment["DOTNET_gcConcurrent"] = "0";
        var process = Start(start, worker.Cpus)
            ?? throw new InvalidOperationException("The worker's process did not start.");
        var started = new WorkerProcess(process, worker.LogFile, onProgress, silence, onSilence);
        started.TryWrite(ProcessLines.Write(worker.Handshake));
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

    /// <summary>Runs one leg. A process that sends nothing for too long, as one that is stopped by a signal, is ended.</summary>
    /// <exception cref="LegLostException">The process ended or sent nothing, or the leg failed in it.</exception>
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

        // The watch does not wait for the write, which does not end while the process is frozen: a large leg fills the pipe. If the write
        // fails, the process is ending. The reader sees that and completes the leg.
        _ = EndIfSilentAsync(completion);
        _writing = Task.Run(() => TryWrite(ProcessLines.Write(leg)));
        return completion.Task;
    }

    /// <summary>Ends the process at once.</summary>
    /// <param name="why">Why this program ends it, for the leg that is lost, such as <c>the run was stopped</c>.</param>
    public void Kill(string why)
    {
        Interlocked.CompareExchange(ref _whyKilled, why, null);
        ProcessEnd.Kill(_process);
    }

    /// <summary>Ends the process by closing its standard input, and kills it after a timeout.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!_writing.IsCompleted)
            ProcessEnd.Kill(_process);
        await _writing;
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

    /// <summary>
    /// Ends the process if it sends nothing for too long. Only short steps are added up, so that the time in which this program was
    /// stopped, or the machine was suspended, does not count.
    /// </summary>
    private async Task EndIfSilentAsync(TaskCompletionSource<LegOutput> leg)
    {
        var (silent, heard, at) = (TimeSpan.Zero, Interlocked.Read(ref _messages), TimeProvider.System.GetTimestamp());
        var isWarned = false;
        while (silent < LimitOf(_silence, heard))
        {
            await Task.WhenAny(leg.Task, Task.Delay(WorkerMessage.Interval));
            if (leg.Task.IsCompleted)
                return;
            var (messages, step) = (Interlocked.Read(ref _messages), TimeProvider.System.GetElapsedTime(at));
            silent = messages != heard ? TimeSpan.Zero
                : silent + (step < 2 * WorkerMessage.Interval ? step : 2 * WorkerMessage.Interval);
            (heard, at) = (messages, TimeProvider.System.GetTimestamp());
            if (silent < LimitOf(LongSilence, heard))
                isWarned = false;
            else if (!isWarned)
            {
                isWarned = true;
                _onSilence?.Invoke($"has sent nothing for {silent.TotalSeconds:0} s, as if it were frozen; its process is ended after "
                    + $"{LimitOf(_silence, heard).TotalSeconds:0} s");
            }
        }

        Kill($"it had sent nothing for {silent.TotalSeconds:0} s, as if it were frozen");
        leg.TrySetException(Lost());
    }

    private static TimeSpan LimitOf(TimeSpan limit, long messages) => messages == 0 ? StartFactor * limit : limit;

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
            {
                Interlocked.Increment(ref _messages);
                Take(ProcessLines.Read<WorkerMessage>(line));
            }
        }
        catch (IOException)
        {
            // A broken pipe is treated as the end of the process.
        }

        await ProcessEnd.WaitOrKillAsync(_process, EndTimeout);
        if (Interlocked.Read(ref _messages) == 0)
            await Task.WhenAny(_logging, Task.Delay(EndTimeout));
        lock (_gate)
        {
            _ended = true;
            _leg?.TrySetException(Lost());
        }
    }

    private LegLostException Lost() => new(Volatile.Read(ref _whyKilled) is { } why
        ? $"worker process {_process.Id} was ended, because {why}"
        : $"worker process {_process.Id} ended ({ProcessEnd.Describe(_process, LastErrorIfMute)})");

    /// <summary>What the process wrote last to its standard error, if it ended before its first message.</summary>
    private string? LastErrorIfMute =>
        Interlocked.Read(ref _messages) == 0 && _logging is { IsCompletedSuccessfully: true, Result: var last } ? last : null;

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

/// <summary>What a worker's process is started with.</summary>
/// <param name="Index">The worker, from 0.</param>
internal sealed record ProcessStart(WorkerHandshake Handshake, string RunId, int Index, string LogFile)
{
    /// <summary>Cores that the process is bound to; null for none.</summary>
    public IReadOnlyList<int>? Cpus { get; init; }

    /// <summary>Most operations that the worker is going to do; null if that is not known.</summary>
    public long? Operations { get; init; }
}
