namespace ScaleOut.Tests.Support.Azurite;

/// <summary>An Azurite on free loopback ports that keeps its data in memory. It ends with the test process, however that ends.</summary>
internal sealed class AzuriteProcess : IDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(2);

    private readonly Process _process;

    private AzuriteProcess(Process process, Uri blobs, Uri queues, Uri tables)
    {
        _process = process;
        Blobs = blobs;
        Queues = queues;
        Tables = tables;
    }

    public Uri Blobs { get; }
    public Uri Queues { get; }
    public Uri Tables { get; }

    /// <summary>Starts Azurite from the folder of <see cref="AzuriteInstall"/> and waits until it listens.</summary>
    public static async Task<AzuriteProcess> StartAsync(
        string folder, IEnumerable<(string Name, string Key)> accounts, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(
            "node",
            [
                "serve.js", "--inMemoryPersistence", "--disableTelemetry", "--silent", "--skipApiVersionCheck", "--blobPort", "0",
                "--queuePort", "0", "--tablePort", "0",
            ])
        {
            WorkingDirectory = folder, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        start.Environment["AZURITE_ACCOUNTS"] = string.Join(';', accounts.Select(account => $"{account.Name}:{account.Key}"));
        var process = AzuriteInstall.Start(start);

        var said = new StringBuilder();
        var ready = new TaskCompletionSource<(Uri Blobs, Uri Queues, Uri Tables)>(TaskCreationOptions.RunContinuationsAsynchronously);
        var (blobs, queues, tables) = (default(Uri), default(Uri), default(Uri));
        process.OutputDataReceived += (_, line) =>
        {
            blobs ??= AddressIn(line.Data, "Blob");
            queues ??= AddressIn(line.Data, "Queue");
            tables ??= AddressIn(line.Data, "Table");
            if (blobs is not null && queues is not null && tables is not null)
                ready.TrySetResult((blobs, queues, tables));
            Say(line.Data);
        };
        process.ErrorDataReceived += (_, line) => Say(line.Data);
        process.EnableRaisingEvents = true;
        process.Exited += (_, _) => ready.TrySetException(new InvalidOperationException($"Azurite ended before it listened: {Said()}"));
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        try
        {
            var addresses = await ready.Task.WaitAsync(StartTimeout, cancellationToken);
            return new AzuriteProcess(process, addresses.Blobs, addresses.Queues, addresses.Tables);
        }
        catch (Exception e)
        {
            process.Kill();
            process.Dispose();
            throw e is TimeoutException ? new InvalidOperationException($"Azurite did not listen in time: {Said()}") : e;
        }

        void Say(string? line)
        {
            lock (said)
                said.AppendLine(line);
        }

        string Said()
        {
            lock (said)
                return said.ToString().Trim();
        }
    }

    public void Dispose()
    {
        // Azurite ends when its input ends, also if this process is killed.
        _process.StandardInput.Close();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
            _process.Kill();
        _process.Dispose();
    }

    private static Uri? AddressIn(string? line, string service)
    {
        const string mark = "successfully listening at ";
        return line is not null
            && line.StartsWith($"Azurite {service} ", StringComparison.Ordinal)
            && line.IndexOf(mark, StringComparison.Ordinal) is >= 0 and var at
            ? new Uri(line[(at + mark.Length)..].Trim())
            : null;
    }
}
