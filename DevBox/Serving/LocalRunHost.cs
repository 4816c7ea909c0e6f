using System.Text;
using ScaleOut.DevBox.Engine;
using ScaleOut.Http;
using ScaleOut.Specs;
using ScaleOut.Storage;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Storage;

namespace ScaleOut.DevBox.Serving;

/// <summary>Runs on this machine for the HTTP interface: one after the other, because they share its cores; those that wait are queued in order.</summary>
internal sealed class LocalRunHost(string runsFolder, HostRules rules, AccountConnection? account, TextWriter log) : IRunHost, IDisposable
{
    /// <summary>Ended runs whose last picture is kept; of older ones the run store tells.</summary>
    private const int KeptEnded = 20;

    private readonly Lock _gate = new();
    private readonly List<HostedSession> _waiting = [];
    private readonly List<HostedSession> _ended = [];
    private HostedSession? _running;
    private Task _work = Task.CompletedTask;
    private bool _closed;

    public HostRules Rules => rules;

    /// <summary>Whether a run was under way or waiting when it was closed.</summary>
    public bool WasInterrupted { get; private set; }

    /// <inheritdoc/>
    public Task StartAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        var session = new HostedSession(spec, new RunFolder(runsFolder, spec.Id!), account, log);
        lock (_gate)
        {
            if (_closed)
                throw new InvalidOperationException("The server is ending.");
            _waiting.Add(session);
            if (_work.IsCompleted)
                _work = WorkAsync();
        }

        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public async Task<StopAnswer> StopAsync(string id, CancellationToken cancellationToken)
    {
        HostedSession? waiting;
        lock (_gate)
        {
            if (_running?.Id == id)
            {
                _running.Stop();
                return StopAnswer.Stopping;
            }

            waiting = _waiting.Find(session => session.Id == id);
            if (waiting is null)
                return _ended.Exists(session => session.Id == id) ? StopAnswer.Ended : StopAnswer.Unknown;
            _waiting.Remove(waiting);
            Keep(waiting);
        }

        await waiting.GiveUpAsync();
        return StopAnswer.Stopping;
    }

    /// <inheritdoc/>
    public async Task<HostedRun?> ReadStatusAsync(string id, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_running?.Id == id)
                return _running.Status();
            if (_waiting.FindIndex(session => session.Id == id) is >= 0 and var place)
                return _waiting[place].Status() with { RunsAhead = place + (_running is null ? 0 : 1) };
            if (_ended.Find(session => session.Id == id) is { } ended)
                return ended.Status();
        }

        return await ElsewhereAsync(id, cancellationToken);
    }

    /// <summary>Takes no more runs, gives up those that wait and stops the one that is under way; ends when its report is written.</summary>
    public async Task CloseAsync()
    {
        List<HostedSession> waiting;
        Task work;
        lock (_gate)
        {
            _closed = true;
            waiting = [.. _waiting];
            _waiting.Clear();
            waiting.ForEach(Keep);
            WasInterrupted |= waiting.Count > 0 || _running is not null;
            _running?.Stop();
            work = _work;
        }

        foreach (var session in waiting)
            await session.GiveUpAsync();
        await work;
    }

    /// <summary>Ends the processes of the run that is under way at once.</summary>
    public void Kill()
    {
        lock (_gate)
            _running?.Kill();
    }

    public void Dispose()
    {
        lock (_gate)
            _ended.ForEach(session => session.Dispose());
    }

    private async Task WorkAsync()
    {
        await Task.Yield();
        while (true)
        {
            HostedSession session;
            lock (_gate)
            {
                if (_waiting.Count == 0)
                {
                    // The next start begins anew: it must not find this as still at work.
                    _work = Task.CompletedTask;
                    return;
                }

                _running = session = _waiting[0];
                _waiting.RemoveAt(0);
            }

            await session.RunAsync();
            Keep(session);
        }
    }

    private void Keep(HostedSession session)
    {
        lock (_gate)
        {
            if (_running == session)
                _running = null;
            _ended.Add(session);
            if (_ended.Count <= KeptEnded)
                return;
            _ended[0].Dispose();
            _ended.RemoveAt(0);
        }
    }

    /// <summary>A run that another process on this machine has in hand, such as one started on the command line.</summary>
    private async Task<HostedRun?> ElsewhereAsync(string id, CancellationToken cancellationToken)
    {
        var folder = new RunFolder(runsFolder, id);
        if (!RunLock.IsTaken(folder.LockFile))
            return null;
        var files = new RunFiles(new FolderRunStore(runsFolder), id);
        if (await files.ReadEndedAsync(cancellationToken) is not null || await files.ReadSpecAsync(cancellationToken) is not { } json)
            return null;
        return new HostedRun
        {
            State = await files.IsStopRequestedAsync(cancellationToken) ? HostedState.Stopping : HostedState.Running,
            Asked = RunSpecReader.Read(Encoding.UTF8.GetString(json)).Spec?.Documents ?? 0,
            Reasons = ["Another program on this machine runs it, and shows how far it is."],
        };
    }
}
