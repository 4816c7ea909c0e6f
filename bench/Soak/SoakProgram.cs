using System.Runtime.InteropServices;
using System.Text;

namespace ScaleOut.Bench.Soak;

/// <summary>A process of the dev box's program.</summary>
internal sealed partial class SoakProgram : IDisposable
{
    /// <summary>The environment variable with the account's key.</summary>
    public const string KeyVariable = "COSMOS_KEY";

    private const int Kill = 9;

    private readonly Process _process;
    private readonly StringBuilder _text = new();
    private Task _read = Task.CompletedTask;

    private SoakProgram(Process process) => _process = process;

    public bool HasExited => _process.HasExited;

    public int ExitCode => _process.ExitCode;

    /// <summary>The output and the errors that the program wrote so far.</summary>
    public string Text
    {
        get
        {
            lock (_text)
                return _text.ToString();
        }
    }

    /// <param name="environment">Further environment variables.</param>
    /// <param name="before">Words of a command that runs the program, such as one that sets a limit. Empty for none.</param>
    public static SoakProgram Start(
        string folder, IReadOnlyDictionary<string, string> environment, IReadOnlyList<string> before, params IEnumerable<string> arguments)
    {
        string[] words = [.. before, Path.Combine(AppContext.BaseDirectory, "DevBox"), .. arguments];
        var start = new ProcessStartInfo(words[0], words[1..])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment.Remove(KeyVariable);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var program = new SoakProgram(Process.Start(start)!);
        program._read = Task.WhenAll(
            program.ReadAsync(program._process.StandardOutput), program.ReadAsync(program._process.StandardError));
        return program;
    }

    /// <summary>Runs a command to its end. Whether its exit code is 0; what it prints goes nowhere.</summary>
    public static bool Succeeds(string command, params IEnumerable<string> arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(command, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
        process.WaitForExit();
        return process.ExitCode == 0;
    }

    /// <summary>Closes the reader of the standard output, as <c>| head -1</c> does: a later write of the program fails.</summary>
    public void CloseOutput()
    {
        IsHeard = false;
        _process.StandardOutput.Close();
    }

    /// <summary>Whether all that the program says can be read.</summary>
    public bool IsHeard { get; private set; } = true;

    /// <summary>Kills the program, but not its workers, which notice that it is gone.</summary>
    public void KillAlone() => TryKill(_process.Id);

    /// <summary>Kills the program and all of its workers.</summary>
    public void KillAll()
    {
        var workers = Workers();
        KillAlone();
        foreach (var worker in workers)
            TryKill(worker);
    }

    /// <summary>Kills one of its workers. False if there is none now.</summary>
    public bool TryKillWorker(Random random)
    {
        var workers = Workers();
        return workers.Count > 0 && TryKill(workers[random.Next(workers.Count)]);
    }

    /// <summary>Freezes one of its workers by SIGSTOP. False if there is none now, and where there are no signals.</summary>
    public bool TryFreezeWorker(Random random)
    {
        var workers = Workers();
        return workers.Count > 0 && TrySignal(workers[random.Next(workers.Count)], "STOP");
    }

    /// <summary>Freezes a process for a time. False if there is none with this id, and where there are no signals.</summary>
    public static async Task<bool> TryFreezeAsync(int processId, TimeSpan time)
    {
        if (!TrySignal(processId, "STOP"))
            return false;
        await Task.Delay(time);
        return TrySignal(processId, "CONT");
    }

    /// <summary>Sends a signal by its name; its numbers differ between systems.</summary>
    private static bool TrySignal(int processId, string signal)
    {
        if (OperatingSystem.IsWindows())
            return false;
        return Succeeds("kill", $"-{signal}", processId.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Waits for the program's end. If that does not come in time, kills the program and returns false.</summary>
    public async Task<bool> EndsAsync(TimeSpan timeout)
    {
        using var limit = new CancellationTokenSource(timeout);
        try
        {
            await _process.WaitForExitAsync(limit.Token);
            await _read.WaitAsync(limit.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            KillAll();
            await _process.WaitForExitAsync(CancellationToken.None);
            return false;
        }
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            KillAll();
        _process.Dispose();
    }

    /// <summary>Whether a process has not ended. One that nobody has waited for has no command any more.</summary>
    public static bool IsAlive(int processId) => CommandOf($"/proc/{processId}") is [not "", ..];

    /// <summary>Kills a process. False if there is none with this id.</summary>
    public static bool TryKill(int processId) => Send(processId, Kill) == 0;

    private List<int> Workers()
    {
        var parent = _process.Id.ToString(CultureInfo.InvariantCulture);
        var workers = new List<int>();
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var id)
                && ParentOf(folder) == parent
                && CommandOf(folder).Contains("worker"))
                workers.Add(id);
        }

        return workers;
    }

    private static string? ParentOf(string folder)
    {
        try
        {
            // The state and the parent follow the name in parentheses.
            var stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string[] CommandOf(string folder)
    {
        try
        {
            return File.ReadAllText(Path.Combine(folder, "cmdline")).Split('\0');
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private async Task ReadAsync(StreamReader output)
    {
        try
        {
            while (await output.ReadLineAsync() is { } line)
            {
                lock (_text)
                    _text.AppendLine(line);
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or InvalidOperationException)
        {
            // It was closed.
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Send(int processId, int signal);
}
