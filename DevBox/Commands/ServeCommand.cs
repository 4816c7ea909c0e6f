namespace ScaleOut.DevBox.Commands;

/// <summary><c>serve</c>: the HTTP interface and its page, until Ctrl+C.</summary>
internal sealed class ServeCommand
{
    private const int DefaultPort = 5080;

    private readonly TextOption _port = new("--port", "port", $"Port on 127.0.0.1 (default: {DefaultPort}; 0 for a free one).");
    private readonly TextOption _maxRequestUnits = new("--max-rus", "RU/s", "Most RU/s that a run may ask for (default: no limit).");
    private readonly TextOption _maxWorkers = new("--max-workers", "n", "Most workers that a run may ask for (default: no limit).");
    private readonly TextOption _prices = new("--prices", "file", "Price file, for the cost in estimates; only beside --account.");
    private readonly RunsFolderOption _out = new();
    private readonly AccountConnectionOptions _account = new();
    private readonly TableAccountOption _tables = new();

    public Command Create() => new CommandWithExamples(
        "serve",
        "Serves the HTTP interface and a page to start, watch and read runs, until Ctrl+C.",
        RunAsync,
        ("serve", "on http://localhost:5080"),
        ("serve --port 5081 --out results --max-workers 8", "for the runs in another folder"))
    {
        _port, _out, _maxRequestUnits, _maxWorkers, _prices, _account.All, _tables,
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var port = errors.Try(() => ReadNumber(input, _port, 0, ushort.MaxValue)) ?? DefaultPort;
        var runsFolder = errors.Try(() => _out.Read(input));
        var account = errors.Try(() => _account.Read(input));
        var tables = errors.Try(() => _tables.Read(input));
        var target = _account.IsGiven(input) ? RunTarget.OtherAccount : RunTarget.SimulatedAccount;
        var rules = new HostRules
        {
            Target = target,
            // No file of this machine is opened for a run that comes over HTTP.
            MachineErrors = spec => spec.Document.Csv is not null ? [] : MachineChecks.ErrorsOf(spec, target),
            HasTables = tables is not null,
            Simulated = !_account.IsGiven(input) || account is { Simulated: true },
            RequestUnitsPerSecond = errors.Try(() => ReadLimit(input, _maxRequestUnits, ContainerSpec.MaxThroughput)),
            Workers = errors.Try(() => ReadLimit(input, _maxWorkers, RunSpec.MaxWorkers)),
            Prices = await errors.TryAsync(() => ReadPricesAsync(input, cancellationToken)),
        };
        errors.ThrowIfAny();
        return await ServeAsync(port, runsFolder!, account, tables, rules, cancellationToken);
    }

    private static async Task<int> ServeAsync(
        int port, string runsFolder, AccountConnection? account, TableAccount? tables, HostRules rules, CancellationToken cancellationToken)
    {
        using var folderLock = RunLock.TryTakeFolder(runsFolder)
            ?? throw new InputException(
                $"{runsFolder}: another server uses this folder; end it, or give this one a folder of its own with --out.");
        using var queue = new WorkQueue();
        using var ended = new CancellationTokenSource();
        using var signals = StopSignals.Listen(
            onFirst: ended.Cancel,
            onSecond: () =>
            {
                queue.Kill();
                Environment.Exit(ExitCode.Stopped);
            });

        using var log = new ServerLog(Path.Combine(runsFolder, "serve.log"));
        await using var server = await LocalServer.StartAsync(
            port,
            services => services
                .AddLogging(logging => logging.AddProvider(log))
                .AddSingleton<IRunHost>(new LocalRunHost(queue, runsFolder, account, Console.Out, tables))
                .AddSingleton<IExperimentHost>(new LocalExperimentHost(queue, runsFolder, account, Console.Out, tables))
                .AddSingleton(queue)
                .AddSingleton<SizeResponder>(services => new SizeRequests(services.GetRequiredService<IRunStore>()).RespondAsync)
                .AddSingleton<SizeHandlers>()
                .AddSingleton<IRunStore>(new FolderRunStore(runsFolder))
                .AddSingleton<IRunCatalog>(new FolderRunCatalog(runsFolder))
                .AddSingleton(rules),
            cancellationToken);
        Console.WriteLine($"""
            Serving runs on this machine. Ctrl+C ends it, and the run that is under way.
              page         {server.Address}
              interface    {new Uri(server.Address, $"{ApiRoutes.Prefix}/{ApiRoutes.Runs}")}
              runs         {Path.GetFullPath(runsFolder)}
            """);
        await Task.Delay(Timeout.Infinite, ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // The server ends last, so that clients still see how the run ends.
        await queue.CloseAsync();
        return queue.WasInterrupted ? ExitCode.Stopped : ExitCode.Complete;
    }

    private async Task<PriceList?> ReadPricesAsync(CommandInput input, CancellationToken cancellationToken)
    {
        if (input.Value(_prices) is not { } file)
            return null;
        if (!_account.IsGiven(input))
            throw new InputException($"{_prices.Name}: only beside --account; the simulated account costs nothing.");
        return await InputFile.ReadPricesAsync(file, cancellationToken);
    }

    private static SettingLimit? ReadLimit(CommandInput input, Option<string?> option, int most) =>
        ReadNumber(input, option, 1, most) is { } value ? new SettingLimit(option.Name, value) : null;

    private static int? ReadNumber(CommandInput input, Option<string?> option, int least, int most) =>
        input.Value(option) is not { } text ? null
        : int.TryParse(NumberText.WithoutSeparators(text), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number >= least && number <= most ? number
        : throw new InputException($"{option.Name}: '{text}' is not a whole number, {least} to {most}.");
}
