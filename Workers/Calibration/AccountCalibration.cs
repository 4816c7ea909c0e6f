using System.Reflection;
using Azure;
using Microsoft.Azure.Cosmos;
using ScaleOut.Analysis.Calibration;
using ScaleOut.Orchestration;
using ScaleOut.Profiles;
using ScaleOut.Specs;
using ScaleOut.Workers.Accounts;
using ScaleOut.Workers.Containers;
using ConnectionMode = ScaleOut.Specs.ConnectionMode;
using ConsistencyLevel = ScaleOut.Specs.ConsistencyLevel;
using IndexingMode = ScaleOut.Specs.IndexingMode;

namespace ScaleOut.Workers.Calibration;

/// <summary>Measures an account's physics through the unmodified SDK, in containers of its own.</summary>
/// <param name="account">The account to measure.</param>
/// <param name="reference">A simulated account on this machine whose every response takes <see cref="LatencyEstimator.ReferenceMs"/>: what
/// calls to it take longer is the client's own time. It costs nothing.</param>
/// <param name="plan">How long.</param>
/// <param name="cost">How much it may cost.</param>
/// <param name="report">Receives what is done now, when it begins.</param>
public sealed class AccountCalibration(
    AccountConnection account, AccountConnection reference, CalibrationPlan plan, CostMeter cost, Action<string> report)
{
    private static readonly TimeSpan AccountTimeout = TimeSpan.FromMinutes(1);

    private readonly CalibrationData _data = new(account);

    /// <summary>
    /// Of the reads that are measured; null for the account's. Where its reads ask two replicas, figures are those of one: the simulated
    /// account has the account's level too, so its reads ask two again.
    /// </summary>
    private ConsistencyLevel? _consistency;

    /// <summary>Of the last container; the ones before it are deleted.</summary>
    private volatile Func<string?>? _leftName;

    /// <summary>
    /// Database and name of the container that is left, and goes on to cost money, if the program ends now; null without one. For any
    /// thread.
    /// </summary>
    public string? LeftContainer => _leftName?.Invoke();

    /// <summary>Measures. Whatever becomes of it, every container that it created is deleted before it returns.</summary>
    /// <exception cref="AccountException">The account cannot be used, or a container could not be deleted.</exception>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public async Task<AccountProfile> RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            report("reaching the account");
            await AccountProbe.EnsureReachableAsync(account, cancellationToken);
            using var control = CosmosClientFactory.CreateControl(account);
            var properties = await control.ReadAccountAsync().WaitAsync(AccountTimeout, cancellationToken);
            _consistency = ConsistencyCheck.LevelOf(properties).AsksTwoReplicas() ? ConsistencyLevel.Session : null;
            using var plane = ContainerPlanes.Create(account, control);
            await MeasureSecondAsync(plane, cancellationToken);
            await MeasureAsync(plane, cancellationToken);
            return Profile(properties);
        }
        catch (Exception e) when (e is not AccountException && AccountErrors.IsAccountError(e))
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new AccountException(AccountErrors.Describe(e, account), e);
        }
    }

    /// <summary>Another throughput and no index.</summary>
    private async Task MeasureSecondAsync(IContainerPlane plane, CancellationToken cancellationToken)
    {
        report(FormattableString.Invariant($"partitions at {CalibrationPlan.SecondThroughput:#,0} RU/s, charges without an index"));
        try
        {
            await using var container = new CalibrationContainer(plane, account);
            _leftName = () => container.LeftName;
            await container.CreateAsync(CalibrationPlan.SecondThroughput, IndexingMode.None, cancellationToken);
            using var client = await ConnectAsync(ConnectionMode.Gateway, container.Target, cancellationToken);
            var partitions = await client.CountPartitionsAsync(cancellationToken);
            _data.Layout.Add(new LayoutFigure(CalibrationPlan.SecondThroughput, partitions));
            await new ChargePhase(client, _data, cancellationToken).RunWithoutIndexAsync();
        }
        catch (Exception e) when (e is CosmosException or RequestFailedException)
        {
            // An account may have a limit below this throughput.
            var reason = AccountErrors.Describe(e, account).Message;
            _data.Note($"Partitions at {CalibrationPlan.SecondThroughput} RU/s were not counted: {reason}");
        }
    }

    private async Task MeasureAsync(IContainerPlane plane, CancellationToken cancellationToken)
    {
        report(FormattableString.Invariant($"creating a container with {CalibrationPlan.Throughput:#,0} RU/s"));
        using var referenceControl = CosmosClientFactory.CreateControl(reference);
        using var referencePlane = ContainerPlanes.Create(reference, referenceControl);
        // Not deleted: that account ends with its process.
        var known = new CalibrationContainer(referencePlane, reference);
        await known.CreateAsync(CalibrationPlan.ReferenceThroughput, IndexingMode.Consistent, cancellationToken);
        await using var container = new CalibrationContainer(plane, account);
        _leftName = () => container.LeftName;
        await container.CreateAsync(CalibrationPlan.Throughput, IndexingMode.Consistent, cancellationToken);
        report($"created {container.FullName}");
        using var direct = await ConnectAsync(ConnectionMode.Direct, container.Target, known.Target, cancellationToken);
        using var gateway = await ConnectAsync(ConnectionMode.Gateway, container.Target, known.Target, cancellationToken);
        var partitions = await direct.Account.CountPartitionsAsync(cancellationToken);
        _data.Layout.Insert(0, new LayoutFigure(CalibrationPlan.Throughput, partitions));

        report("charges");
        Complete("charges", await new ChargePhase(direct.Account, _data, cancellationToken).RunAsync());
        // Before the other latencies: without the way none of them says what the service takes.
        report("the way to the account, by 429s");
        Complete("the way to the account", await new WayPhase(direct, gateway, _data, cancellationToken).RunAsync(plan.Way));
        var latency = new LatencyPhase(direct, _data, cancellationToken);
        foreach (var level in CalibrationPlan.Levels)
        {
            var name = FormattableString.Invariant($"latency at {100 * level:0}% of the budget");
            report(name);
            Complete(name, await latency.RunAsync(ConnectionMode.Direct, level, plan.Level));
        }

        report("latency through the gateway");
        Complete(
            "latency through the gateway",
            await new LatencyPhase(gateway, _data, cancellationToken)
                .RunAsync(ConnectionMode.Gateway, CalibrationPlan.Levels[0], plan.Gateway));
        report("latency of larger documents and of batches");
        Complete(
            "latency by size and batch", await new SlopePhase(direct, _data, partitions, cancellationToken).RunAsync(plan.Slopes));
        report("throttling");
        Complete(
            "throttling",
            await new ThrottlingPhase(direct.Account, _data, partitions, cancellationToken).RunAsync(plan.Overload, plan.Idle));
    }

    private async Task<CalibrationClients> ConnectAsync(
        ConnectionMode mode, ContainerTarget target, ContainerTarget referenceTarget, CancellationToken cancellationToken)
    {
        var measured = await ConnectAsync(mode, target, cancellationToken);
        try
        {
            return new CalibrationClients(
                measured,
                await CalibrationClient.CreateAsync(
                    reference, mode, consistency: null, referenceTarget, new CostMeter(double.MaxValue), cancellationToken));
        }
        catch
        {
            measured.Dispose();
            throw;
        }
    }

    private Task<CalibrationClient> ConnectAsync(ConnectionMode mode, ContainerTarget target, CancellationToken cancellationToken) =>
        CalibrationClient.CreateAsync(account, mode, _consistency, target, cost, cancellationToken);

    private void Complete(string what, bool complete)
    {
        if (!complete)
            _data.Note($"The cost limit ended it before the end of: {what}. Its figures have fewer samples, or are missing.");
    }

    private AccountProfile Profile(AccountProperties properties)
    {
        var now = DateTimeOffset.UtcNow;
        var host = account.Endpoint.Host;
        var (perSecond, perTenth) = ThrottlingEstimator.Admitted(_data.Admitted);
        var retryAfter = ThrottlingEstimator.RetryAfter(_data.RetryAfterMs);
        return new AccountProfile
        {
            Name = FormattableString.Invariant($"{host.Split('.')[0]}-{now:yyyy-MM-dd}"),
            MeasuredAt = now,
            Account = host,
            Region = properties.ReadableRegions.FirstOrDefault()?.Name,
            Consistency = ConsistencyCheck.LevelOf(properties).ToString(),
            SdkVersion = VersionOf(typeof(CosmosClient).Assembly),
            RequestUnits = Math.Round(cost.Spent, 2),
            Throughput = CalibrationPlan.Throughput,
            Charges = ChargeEstimator.Estimate(_data.Charges),
            Latency = LatencyEstimator.Estimate(_data.Latencies),
            Throttling = new ThrottlingFigures
            {
                RetryAfterMinMs = retryAfter?.Min,
                RetryAfterMaxMs = retryAfter?.Max,
                AdmittedPerSecond = perSecond,
                AdmittedPerTenth = perTenth,
                // By what the partition is given, not by what it admitted before: burst credit may have been a part of that.
                BurstRequestUnits = ThrottlingEstimator.Burst(
                    _data.AdmittedAfterIdling, CalibrationPlan.Throughput / (double)_data.Layout[0].Partitions),
                IdleSeconds = plan.Idle.TotalSeconds,
            },
            Layout = _data.Layout,
            Notes = [.. _data.Notes],
        };
    }

    private static string VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? assembly.GetName().Version!.ToString();
}
