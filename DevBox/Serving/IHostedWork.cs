namespace ScaleOut.DevBox.Serving;

/// <summary>A run or an experiment in the server, from its place in the queue to its end.</summary>
internal interface IHostedWork : IDisposable
{
    string Id { get; }

    /// <summary>Runs it to its end, whatever that is. Never throws.</summary>
    Task RunAsync();

    /// <summary>Ends it before it has begun.</summary>
    Task GiveUpAsync();

    /// <summary>Asks it to stop; its report follows within seconds.</summary>
    void Stop();

    /// <summary>Ends its processes at once.</summary>
    void Kill();
}
