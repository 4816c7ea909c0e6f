namespace ScaleOut.Simulator.Engine.Scripts.Execution;

/// <summary>The work of a request that runs scripts in a transaction: all that they and the request write, or nothing.</summary>
internal abstract class ScriptedWork : DocumentWork
{
    /// <summary>Charge of the work besides its operations.</summary>
    protected abstract RequestUnits OwnCharge { get; }

    /// <summary>UTF-8 of a JSON array with the key's values.</summary>
    public abstract ReadOnlyMemory<byte> PartitionKeyJson { get; }

    public override void Execute(long nowTicks)
    {
        var partition = Partition!;
        lock (partition.Gate)
        {
            if (!TryEnter_NeedsLock(partition, nowTicks))
                return;
        }

        using var transaction = new ScriptTransaction(this, partition, PartitionKeyJson, nowTicks);
        OperationResult result = default;
        try
        {
            result = RunOrFail(transaction);
        }
        finally
        {
            // Also an exception of the account's own leaves nothing.
            if (result.IsSuccess)
                transaction.Commit();
            else
                transaction.RollBack();
        }

        lock (partition.Gate)
        {
            if (!result.IsRejectedBySplit)
            {
                Finish_NeedsLock(partition, result, OwnCharge + transaction.Charge, nowTicks);
                return;
            }

            // The partition began to split before a script asked for anything; the client tries again elsewhere.
            partition.Counter.Withdraw(Kind);
            Result = result;
        }
    }

    /// <exception cref="RequestException">The work failed.</exception>
    protected abstract OperationResult Run(ScriptTransaction transaction);

    protected ScriptRun CreateRun(ScriptTransaction transaction, Func<ScriptContext, ScriptContext> describe) => new(
        describe(new ScriptContext
        {
            SelfLink = Container.SelfLink,
            AltLink = Container.Link,
            IsIndexed = Container.Settings.Automatic,
            Storage = (Container.Storage.Usage(Partition!.Store.Count, Partition.StoredBytes), StorageLimits.Quota),
        }),
        transaction, ScriptLimits.Default);

    private OperationResult RunOrFail(ScriptTransaction transaction)
    {
        try
        {
            return Run(transaction);
        }
        catch (RequestException e)
        {
            return OperationResult.From(e);
        }
    }
}
