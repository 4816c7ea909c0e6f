namespace ScaleOut.Tests.DevBox;

/// <summary>The program itself, as a user starts it.</summary>
internal sealed class DevBoxProcess : IDisposable
{
    /// <summary>After which a program hangs.</summary>
    internal static readonly TimeSpan Timeout = TimeSpan.FromMinutes(4);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _errors = new();

    private DevBoxProcess(Process process) => _process = process;

    public int Id => _process.Id;

    public string Output => Text(_output);

    public string Errors => Text(_errors);

    public int ExitCode => _process.ExitCode;

    public bool HasExited => _process.HasExited;

    /// <summary>Starts it.</summary>
    /// <param name="folder">Its working folder.</param>
    /// <param name="arguments">Its command line.</param>
    /// <param name="environment">Variables beside those of the tests.</param>
    /// <param name="mostKilobytesOfAFile">Larger files cannot be written, as on a full disk; null for no limit. On Unix.</param>
    /// <param name="openFiles">Its limit of open files; null for that of the tests.</param>
    /// <param name="hardToo">Whether that is the hard limit too, beyond which the program cannot raise its own.</param>
    /// <param name="diskTrace">Takes the calls by which it and its processes bring files to disk, as strace writes them; null for no
    /// trace.</param>
    public static DevBoxProcess Start(
        string folder,
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null,
        int? mostKilobytesOfAFile = null,
        int? openFiles = null,
        bool hardToo = true,
        string? diskTrace = null)
    {
        var start = SelfProcess.With(arguments);
        SetEnvironment(start);
        if (mostKilobytesOfAFile is { } most)
            LimitFiles(start, most);
        if (openFiles is { } limit)
            LimitOpenFiles(start, limit, hardToo);
        if (diskTrace is not null)
            Precede(start, "strace", DiskTrace.Arguments(diskTrace));
        start.WorkingDirectory = folder;
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;

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

    /// <summary>Runs to the end.</summary>
    public static async Task<DevBoxProcess> RunAsync(
        string folder,
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null,
        int? openFiles = null,
        bool hardToo = true)
    {
        var process = Start(folder, arguments, environment, openFiles: openFiles, hardToo: hardToo);
        await process.WaitAsync();
        return process;
    }

    public async Task WaitAsync()
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        timeout.CancelAfter(Timeout);
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
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    /// <summary>Takes away what a user may have set.</summary>
    internal static void SetEnvironment(ProcessStartInfo start)
    {
        start.Environment.Remove("COSMOS_KEY");
        start.Environment.Remove("COSMOS_RESOURCE_ID");
        // These processes end before better compiled code would earn back what compiling it costs: a quarter of their CPU. Nor do they
        // need protection of the code that they compile, or a thread that collects garbage beside them.
        start.Environment["DOTNET_TC_CallCountingDelayMs"] = "600000";
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        start.Environment["DOTNET_gcConcurrent"] = "0";
    }

    private static void LimitFiles(ProcessStartInfo start, int kilobytes)
    {
        Limit(start, FormattableString.Invariant($"trap '' XFSZ; ulimit -f {kilobytes}"));
        // The runtime's own files in memory are larger.
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
    }

    private static void LimitOpenFiles(ProcessStartInfo start, int limit, bool hardToo)
    {
        Limit(start, FormattableString.Invariant($"ulimit {(hardToo ? "" : "-S ")}-n {limit}"));
        // It keeps a file open, as it does where a user starts the program.
        start.Environment.Remove("DOTNET_EnableWriteXorExecute");
    }

    private static void Limit(ProcessStartInfo start, string command) =>
        Precede(start, "/bin/bash", ["-c", $"{command} && exec \"$0\" \"$@\""]);

    /// <summary>Lets another program start it.</summary>
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
        lock (text)
        {
            if (line is not null)
                text.AppendLine(line);
        }
    }

    private static string Text(StringBuilder text)
    {
        lock (text)
            return text.ToString();
    }
}
