namespace ScaleOut.DevBox.Commands;

/// <summary><c>account</c>: the simulated account alone, for other clients; and, with <c>--run</c>, the account process of a run.</summary>
internal sealed class AccountCommand
{
    private readonly TextOption _port = new("--port", "port", "Port of the HTTPS endpoint (default: a free one).");

    private readonly TextOption _httpPort = new("--http-port", "port", "Port of the HTTP endpoint (default: a free one).");

    private readonly TextOption _controlPort = new("--control-port", "port", "Port of the ledger (default: a free one).");

    private readonly TextOption _listen = new(
        "--listen", "address", "Address of both endpoints (default 127.0.0.1); 0.0.0.0 in a container. Direct stays on 127.0.0.1.");

    /// <summary>
    /// Environment variable with the account's key. A key has no option of its own, because every list of processes shows command lines.
    /// </summary>
    private const string KeyVariable = "SIMULATED_ACCOUNT_KEY";

    /// <summary>Follows the name of the key file in that of the certificate's file.</summary>
    private const string CertificateSuffix = ".pfx";

    private readonly TextOption _key = new(
        "--key-file", "file",
        $"A file with the account's key, base64, which {KeyVariable} may hold too (default: that of the data folder, else a "
        + $"random one). If there is no such file, it is made. The certificate is kept beside it, in <file>{CertificateSuffix}.");

    private readonly TextOption _data = new(
        "--data", "folder",
        "Keeps databases, containers and documents in this folder. They are written when the account is stopped: what was "
        + "written to it since it started is lost when its process is killed.");

    private readonly TextOption _certificate = new(
        "--cert", "out.pem", "Writes the account's certificate to this file, for clients that are to trust it.");

    private readonly JsonFileOption _json = new("how to reach the account, once it is ready,");

    private readonly Option<bool> _burst = new("--burst")
    {
        Description = $"Partitions under {Numbers.Count(SimulationSpec.BurstRequestUnitsPerSecond)} RU/s bank unused RU.",
    };

    private readonly TextOption _throttling = new(
        "--throttling", "on|off", "Whether requests beyond the throughput get a 429 (default: on).");

    private readonly Option<bool> _anyToken = new("--any-token")
    {
        Description = "Accepts every token of an identity beside the key, whoever issued it.",
    };

    private readonly ProfileOption _profile = new();
    private readonly Option<string?> _run = new("--run") { Hidden = true };

    private readonly IReadOnlyList<SpecOption> _physics =
    [
        new("--seed", "seed"),
        new("--partitions", "simulation.physicalPartitions"),
        new("--latency", "simulation.latency"),
        new("--consistency", "simulation.consistency"),
    ];

    public Command Create() => new CommandWithExamples(
        "account",
        "Runs only the simulated account, for other clients, until Ctrl+C.",
        (input, cancellationToken) => input.Value(_run) is null ? RunAsync(input, cancellationToken) : RunForRunAsync(input),
        ("account --port 8081", "for any Cosmos DB SDK; prints its address, key and certificate"),
        ("account --partitions 4 --data account-data --json -", "keeps its documents; one line of JSON for a program"))
    {
        _port, _httpPort, _controlPort, _listen, _key, _data, _physics, _burst, _throttling, _anyToken, _profile, _certificate, _json, _run,
    };

    private static async Task<int> RunForRunAsync(CommandInput given)
    {
        given.Errors().ThrowIfAny();
        using var input = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8);
        await using var output = new StreamWriter(Console.OpenStandardOutput());
        // Other output must not get between the messages on the standard output.
        Console.SetOut(Console.Error);
        return await AccountHost.RunAsync(input, output);
    }

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var options = await ReadOptionsAsync(input, cancellationToken);
        using var ended = new CancellationTokenSource();
        using var signals = StopSignals.Listen(ended.Cancel, () => Environment.Exit(ExitCode.Stopped));
        await using var account = await StartAsync(options, cancellationToken);
        if (account.WhyCertificateIsNotKept is { } reason)
            await Console.Error.WriteLineAsync(
                $"warning: the certificate cannot be kept, so the next start has another one: {OneLine.From(reason)}");
        if (input.Value(_certificate) is { } file)
            await OutputFile.WriteAsync(
                _certificate.Name, file, account.Certificate.ExportCertificatePem() + "\n", CancellationToken.None);

        if (!_json.IsStandardOutput(input))
            Console.WriteLine(AccountReadiness.Text(account, options.DataFolder));
        await _json.WriteAsync(input, Encoding.UTF8.GetBytes(AccountReadiness.Line(account) + "\n"));
        await Task.WhenAny(account.ShutdownRequested, Task.Delay(Timeout.Infinite, ended.Token));
        // Writes the data folder, if there is one.
        await account.StopAsync();
        return ExitCode.Complete;
    }

    private async Task<AccountSettings> ReadOptionsAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var fields = new JsonObject();
        if (await errors.TryAsync(() => _profile.ReadAsync(input, RunTarget.SimulatedAccount, cancellationToken)) is { } profile)
            ProfileSimulation.Apply(fields, profile);
        foreach (var option in _physics.Where(option => input.Value(option) is not null))
            option.Set(fields, input.Value(option)!);
        if (input.Value(_burst))
            SpecEdit.Set(fields, "simulation.burst", true);

        var reading = RunSpecReader.Read(fields, RunTarget.SimulatedAccount);
        errors.Add(reading.Errors.Select(error => _physics.FirstOrDefault(option => option.Path == error.Path) is { } source
            ? $"{source.Name}: {error.Message}" : error.ToString()));
        var ports = new[] { _port, _httpPort, _controlPort }.Select(option => errors.Try(() => ReadPort(input, option))).ToList();
        var key = await errors.TryAsync(() => ReadKeyAsync(input, cancellationToken));
        if (input.Value(_throttling) is not (null or "on" or "off"))
            errors.Add([$"{_throttling.Name}: '{input.Value(_throttling)}' is neither on nor off."]);
        var address = errors.Try(() => ReadAddress(input));
        errors.Try(() => _json.Check(input));
        errors.ThrowIfAny();
        var options = AccountSettings.From(reading.Value!.Simulation ?? new SimulationSpec(), reading.Value.Seed);
        return options with
        {
            Throttling = (options.Throttling ?? new ThrottlingSpec()) with { IsOff = input.Value(_throttling) == "off" },
            HttpsPort = ports[0],
            HttpPort = ports[1],
            ControlPort = ports[2],
            Key = key,
            AcceptsAnyToken = input.Value(_anyToken),
            KeyFile = input.Value(_key),
            CertificateFile = input.Value(_key) is { } keyFile ? keyFile + CertificateSuffix : null,
            DataFolder = input.Value(_data),
            Address = address ?? IPAddress.Loopback,
        };
    }

    private static async Task<SimulatedAccount> StartAsync(AccountSettings options, CancellationToken cancellationToken)
    {
        try
        {
            return await SimulatedAccount.StartAsync(options, cancellationToken);
        }
        catch (IOException e) when (e is not AccountDataException)
        {
            throw new InputException($"account: {OneLine.From(e.Message)}");
        }
    }

    private static int ReadPort(CommandInput input, Option<string?> option) =>
        input.Value(option) is not { } text ? 0
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var port) && port is > 0 and <= ushort.MaxValue
            ? port
        : throw new InputException($"{option.Name}: '{text}' is not a port, 1 to 65535.");

    private IPAddress ReadAddress(CommandInput input) =>
        input.Value(_listen) is not { } text ? IPAddress.Loopback
        : IPAddress.TryParse(text, out var address) ? address
        : throw new InputException($"{_listen.Name}: '{text}' is not an IP address, such as 127.0.0.1 or 0.0.0.0.");

    /// <summary>The account's key; null if none is given, or its file is yet to be made.</summary>
    private async Task<string?> ReadKeyAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var (source, text) = input.Value(_key) is { } file && !CanBeMade(file)
            ? (_key.Name, await InputFile.ReadAsync(file, "key file", cancellationToken))
            : (KeyVariable, Environment.GetEnvironmentVariable(KeyVariable));
        if (text?.Trim() is not { } key)
            return null;
        return key.Length > 0 && Convert.TryFromBase64String(key, new byte[key.Length], out _)
            ? key
            : throw new InputException($"{source}: the key is not base64 text.");

        static bool CanBeMade(string file) => !Path.Exists(file) && Directory.Exists(Path.GetDirectoryName(Path.Combine(".", file)));
    }
}
