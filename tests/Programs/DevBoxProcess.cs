namespace ScaleOut.Tests.Programs;

/// <summary>The program itself, as a user starts it.</summary>
internal sealed class DevBoxProcess : IDisposable
{
    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();

    private DevBoxProcess(Process process) => _process = process;

    public int Id => _process.Id;
    public string Output => Text(_output);
    public string Errors => Text(_errors);
    public int ExitCode => _process.ExitCode;
    public bool HasExited => _process.HasExited;

    /// <param name="folder">The working folder.</param>
    /// <param name="arguments">The command line.</param>
    /// <param name="environment">Variables in addition to those of the tests.</param>
    /// <param name="maxKilobytesOfAFile">Larger files cannot be written, as on a full disk. Default: no limit. Unix only.</param>
    /// <param name="openFiles">The limit of open files. Default: that of the tests.</param>
    /// <param name="hardToo">Whether <paramref name="openFiles"/> is the hard limit too, which the program cannot raise.</param>
    /// <param name="diskTrace">The file for strace's list of calls that bring files to disk. Default: no trace.</param>
    public static DevBoxProcess Start(
        string folder, IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment = null,
        int? maxKilobytesOfAFile = null, int? openFiles = null, bool hardToo = true, string? diskTrace = null)
    {
        var start = SelfProcess.With(arguments);
        SetEnvironment(start);
        if (maxKilobytesOfAFile is { } most)
            LimitFiles(start, most);
        if (openFiles is { } limit)
            LimitOpenFiles(start, limit, hardToo);
        if (diskTrace is not null)
            Precede(start, "strace", DiskTrace.Arguments(diskTrace));
        start.WorkingDirectory = folder;
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        return Start(start);
    }

    private static DevBoxProcess Start(ProcessStartInfo start)
    {
        var process = new Process { StartInfo = start };
        var started = new DevBoxProcess(process);
        process.OutputDataReceived += (_, line) => Append(started._output, line.Data);
        process.ErrorDataReceived += (_, line) => Append(started._errors, line.Data);
        process.Start();
        process.StandardInput.Close();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return started;
    }

    public static async Task<DevBoxProcess> RunAsync(
        string folder, IEnumerable<string> arguments, IReadOnlyDictionary<string, string>? environment = null, int? openFiles = null,
        bool hardToo = true)
    {
        var process = Start(folder, arguments, environment, openFiles: openFiles, hardToo: hardToo);
        await process.WaitAsync();
        return process;
    }

    public async Task WaitAsync()
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        timeout.CancelAfter(Until.Timeout);
        try
        {
            await _process.WaitForExitAsync(timeout.Token);
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"The program did not end.\n{Output}\n{Errors}");
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            // A next process may use the same files.
            _process.WaitForExit(Until.Timeout);
        }

        _process.Dispose();
    }

    /// <summary>Removes variables that a user may have set, and sets those that make short processes cheap.</summary>
    internal static void SetEnvironment(ProcessStartInfo start)
    {
        start.Environment.Remove("COSMOS_KEY");
        start.Environment.Remove("COSMOS_RESOURCE_ID");
        // Most of these processes end before optimized code repays its compilation, which is a quarter of their CPU. Those that size fleets
        // for longer than four seconds get it. They need neither protection of compiled code nor a concurrent garbage collector.
        start.Environment[SelfProcess.CountingDelay] = "FA0";
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        start.Environment["DOTNET_gcConcurrent"] = "0";
    }

    /// <summary>Starts the program in a folder in which a shell command has run first.</summary>
    public static DevBoxProcess StartAfter(string folder, string command, IEnumerable<string> arguments)
    {
        var start = SelfProcess.With(arguments);
        SetEnvironment(start);
        Limit(start, command);
        start.WorkingDirectory = folder;
        return Start(start);
    }

    private static void LimitFiles(ProcessStartInfo start, int kilobytes)
    {
        Limit(start, FormattableString.Invariant($"trap '' XFSZ; ulimit -f {kilobytes}"));
        // The runtime's files in memory are larger than the limit.
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
    }

    private static void LimitOpenFiles(ProcessStartInfo start, int limit, bool hardToo)
    {
        Limit(start, FormattableString.Invariant($"ulimit {(hardToo ? "" : "-S ")}-n {limit}"));
        // Write protection of code keeps a file open, as it does for a user.
        start.Environment.Remove("DOTNET_EnableWriteXorExecute");
    }

    private static void Limit(ProcessStartInfo start, string command) =>
        Precede(start, "/bin/bash", ["-c", $"{command} && exec \"$0\" \"$@\""]);

    /// <summary>Starts the program through another program.</summary>
    private static void Precede(ProcessStartInfo start, string program, string[] arguments)
    {
        string[] all = [.. arguments, start.FileName, .. start.ArgumentList];
        start.ArgumentList.Clear();
        foreach (var argument in all)
            start.ArgumentList.Add(argument);
        start.FileName = program;
    }

    private static void Append(StringBuilder text, string? line)
    {
        if (line is null)
            return;
        lock (text)
            text.AppendLine(line);
    }

    private static string Text(StringBuilder text)
    {
        lock (text)
            return text.ToString();
    }
}
