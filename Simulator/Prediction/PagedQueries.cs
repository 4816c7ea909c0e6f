using ScaleOut.Simulator.Engine.Physics;
using ScaleOut.Specs;

namespace ScaleOut.Simulator.Prediction;

/// <summary>
/// Queries, page by page: one after the other or several at once, after the query plan where the client asks for one. Each page is an
/// attempt with the CPU of one, and is asked for again when it is throttled; the operation ends with its last page.
/// </summary>
internal sealed class PagedQueries
{
    private readonly FleetSpec _spec;
    private readonly FleetQuery _query;
    private readonly FleetEvents _events;
    private readonly OperationLoops _loops;
    private readonly FleetAccount _account;
    private readonly Connections _connections;
    private readonly CorePool[] _pools;
    private readonly FleetTally _tally;
    private readonly SeededNoise _noise;
    private readonly int _atOnce;
    private readonly double _halfTicks;
    private readonly double _accountTicks;
    private readonly long _planTicks;

    /// <summary>Of each loop: pages of its query, those that were asked for, and those that are done.</summary>
    private readonly int[] _pages;
    private readonly int[] _asked;
    private readonly int[] _done;

    /// <summary>Of each place for a page, of which a loop has as many as it asks for at once.</summary>
    private readonly int[] _partition;
    private readonly int[] _retryAfterMs;
    private readonly long[] _began;
    private readonly long[] _sentAt;

    public PagedQueries(
        FleetSpec spec, FleetQuery query, FleetEvents events, OperationLoops loops, FleetAccount account, Connections connections,
        CorePool[] pools, FleetTally tally, SeededNoise noise)
    {
        (_spec, _query, _events, _loops, _account, _connections) = (spec, query, events, loops, account, connections);
        (_pools, _tally, _noise) = (pools, tally, noise);
        _atOnce = Math.Clamp((int)Math.Ceiling(query.Pages), 1, query.AtOnce);
        _halfTicks = spec.CpuMsPerAttempt * TimeSpan.TicksPerMillisecond / 2;
        _accountTicks = spec.AccountCpuMsOnSharedCores * TimeSpan.TicksPerMillisecond;
        _planTicks = (long)((spec.Latency.WayMs(ConnectionMode.Gateway) + spec.OverheadMs) * TimeSpan.TicksPerMillisecond);
        (_pages, _asked, _done) = (new int[loops.Count], new int[loops.Count], new int[loops.Count]);
        int places = checked(loops.Count * _atOnce);
        (_partition, _retryAfterMs, _began, _sentAt) = (new int[places], new int[places], new long[places], new long[places]);
    }

    public void Handle(FleetEvent kind, int index, long now)
    {
        switch (kind)
        {
            case FleetEvent.Turn:
                Begin(index, now);
                break;
            case FleetEvent.Page:
                Ask(index, now, PoolOf(index).Run(now, _halfTicks));
                break;
            case FleetEvent.Ready:
                if (_connections.TryTake(WorkerOf(index), index))
                    Send(index, now);
                break;
            case FleetEvent.Arrived:
                Execute(index, now);
                break;
            default:
                Receive(index, now);
                break;
        }
    }

    private void Begin(int loop, long now)
    {
        (_pages[loop], _asked[loop], _done[loop]) = (Math.Max(1, WholeOf(_query.Pages)), 0, 0);
        long first = now + (WholeOf(_query.Plans) * _planTicks);
        for (int place = loop * _atOnce; place < (loop + 1) * _atOnce && TryTakePage(loop, place); place++)
            _events.Add(FleetEvent.Page, place, first);
    }

    private bool TryTakePage(int loop, int place)
    {
        if (_asked[loop] == _pages[loop])
            return false;
        _partition[place] = _query.OverPartitions ? _asked[loop] % _spec.Partitions : _loops.Partition[loop];
        _asked[loop]++;
        return true;
    }

    private void Ask(int place, long now, long ready)
    {
        _began[place] = now;
        _events.Add(FleetEvent.Ready, place, ready);
    }

    private void Send(int place, long now)
    {
        _sentAt[place] = now;
        if (_accountTicks > 0)
            _events.Add(FleetEvent.Arrived, place, _pools[0].Run(now, _accountTicks));
        else
            Execute(place, now);
    }

    private void Execute(int place, long now)
    {
        bool admitted = _account.TryExecute(_partition[place], now, out _retryAfterMs[place]);
        _events.Add(FleetEvent.Response, place, _account.RespondAt(_partition[place], _sentAt[place], now, admitted ? 1 : 0));
    }

    private void Receive(int place, long now)
    {
        if (_connections.TryPassOn(WorkerOf(place), out int waiting))
            Send(waiting, now);
        CorePool pool = PoolOf(place);
        long done = pool.Run(now, _halfTicks);
        _tally.EndAttempt(_began[place], done);
        int loop = place / _atOnce;
        if (_retryAfterMs[place] > 0)
            _events.Add(FleetEvent.Page, place, OperationLoops.RetryAt(done, _retryAfterMs[place]));
        else if (++_done[loop] == _pages[loop])
            _events.Add(FleetEvent.Turn, loop, _loops.EndOperation(loop, done));
        else if (TryTakePage(loop, place))
            Ask(place, done, _halfTicks > 0 ? pool.Continue(_halfTicks) : done);
    }

    /// <summary>A whole number whose mean is a given one.</summary>
    private int WholeOf(double mean)
    {
        int whole = (int)mean;
        return mean > whole && _noise.NextUniform() < mean - whole ? whole + 1 : whole;
    }

    private int WorkerOf(int place) => _loops.WorkerOf(place / _atOnce);

    private CorePool PoolOf(int place) => _pools[_spec.SharesCores ? 0 : WorkerOf(place)];
}
