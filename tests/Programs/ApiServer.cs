using Microsoft.Extensions.DependencyInjection;

namespace ScaleOut.Tests.Programs;

/// <summary>The dev box's server with hosts that run nothing.</summary>
internal sealed class ApiServer : IAsyncDisposable
{
    private readonly LocalServer _server;

    private ApiServer(LocalServer server, CollectingLogger log)
    {
        _server = server;
        Log = log;
        Client = new HttpClient { BaseAddress = server.Address };
    }

    public HttpClient Client { get; }

    public CollectingLogger Log { get; }

    /// <summary>Starts the server on a free port. The defaults are a catalog in memory and scripted hosts.</summary>
    public static async Task<ApiServer> StartAsync(
        IRunStore store, IRunCatalog? catalog = null, IRunHost? runs = null, IExperimentHost? experiments = null, HostRules? rules = null)
    {
        var log = new CollectingLogger();
        var server = await LocalServer.StartAsync(
            port: 0,
            services => services
                .AddLogging(logging => logging.AddProvider(log))
                .AddSingleton(store)
                .AddSingleton(catalog ?? new MemoryRunCatalog())
                .AddSingleton(runs ?? new ScriptedHost(store))
                .AddSingleton(experiments ?? new ScriptedExperimentHost(store))
                .AddSingleton(rules ?? new HostRules()),
            TestContext.Current.CancellationToken);
        return new ApiServer(server, log);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _server.DisposeAsync();
        Log.Dispose();
    }

    /// <summary>Keeps the exceptions that the server logs as errors, and the text of its warnings and errors.</summary>
    internal sealed class CollectingLogger : ILoggerProvider, ILogger
    {
        private readonly Lock _gate = new();
        private readonly List<Exception> _errors = [];
        private readonly List<string> _lines = [];

        public IReadOnlyList<Exception> Errors
        {
            get
            {
                lock (_gate)
                    return [.. _errors];
            }
        }

        public IReadOnlyList<string> Lines
        {
            get
            {
                lock (_gate)
                    return [.. _lines];
            }
        }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Warning;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel))
                return;
            lock (_gate)
            {
                _lines.Add(formatter(state, exception));
                if (exception is not null && logLevel >= LogLevel.Error)
                    _errors.Add(exception);
            }
        }

        public void Dispose()
        {
        }
    }
}
