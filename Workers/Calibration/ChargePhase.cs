using ScaleOut.Analysis.Calibration;
using ScaleOut.Charges;

namespace ScaleOut.Workers.Calibration;

/// <summary>
/// What operations cost: creates and reads by size, creates by index entries, replaces, deletes, patches, batches and queries. One after
/// the other, each of them until it is not throttled.
/// </summary>
internal sealed class ChargePhase(CalibrationClient client, CalibrationData data, CancellationToken cancellationToken)
{
    /// <summary>Times that each charge is asked for.</summary>
    public const int Repeats = 3;

    /// <summary>Of documents of whose charges size is no part.</summary>
    public const int SmallBytes = 1_024;

    private const int LongestWaitMs = 2_000;
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private static readonly int[] QueryDocuments = [0, 1, 20, 100];
    private static readonly int[] PatchedTerms = [1, 2, 5, 10];

    private bool _ended;

    /// <summary>Whether all of it was done; false where the cost limit ended it.</summary>
    public async Task<bool> RunAsync()
    {
        foreach (var kilobytes in CalibrationPlan.Kilobytes)
            await SizeAsync(kilobytes * 1_024);
        foreach (var terms in CalibrationPlan.IndexedTerms)
            await TermsAsync(terms);
        await PatchesAsync();
        await BatchAsync();
        await QueriesAsync();
        return !_ended;
    }

    /// <summary>Creates on a container without an index, of documents that would have entries in one.</summary>
    public async Task RunWithoutIndexAsync()
    {
        for (var i = 0; i < Repeats; i++)
            await ObserveAsync(
                new ChargeObservation { Kind = ChargedKind.CreateWithoutIndex, Bytes = SmallBytes, RequestUnits = 0 },
                () => client.CreateAsync($"off-{i}", "off", SmallBytes, terms: 10, Expected(SmallBytes, 10)));
    }

    private static double Expected(int bytes, int terms) => 2 * ChargeModel.Documented.Create(bytes, terms);

    private async Task SizeAsync(int bytes)
    {
        for (var i = 0; i < Repeats; i++)
        {
            var id = $"size-{bytes}-{i}";
            var create = new ChargeObservation { Kind = ChargedKind.Create, Bytes = bytes, RequestUnits = 0 };
            if (await ObserveAsync(create, () => client.CreateAsync(id, id, bytes, 0, Expected(bytes, 0))))
                await ObserveAsync(
                    create with { Kind = ChargedKind.Read },
                    () => client.ReadAsync(id, id, 2 * ChargeModel.Documented.Read(bytes)));
        }

        var last = $"size-{bytes}-{Repeats - 1}";
        await ObserveAsync(
            new ChargeObservation { Kind = ChargedKind.Delete, Bytes = bytes, RequestUnits = 0 },
            () => client.DeleteAsync(last, last, Expected(bytes, 0)));
    }

    private async Task TermsAsync(int terms)
    {
        for (var i = 0; i < Repeats; i++)
        {
            var id = $"terms-{terms}-{i}";
            await ObserveAsync(
                new ChargeObservation { Kind = ChargedKind.Create, Bytes = SmallBytes, IndexEntries = terms, RequestUnits = 0 },
                () => client.CreateAsync(id, id, SmallBytes, terms, Expected(SmallBytes, terms)));
        }

        var first = $"terms-{terms}-0";
        await ObserveAsync(
            new ChargeObservation { Kind = ChargedKind.Replace, Bytes = SmallBytes, IndexEntries = 2 * terms, RequestUnits = 0 },
            () => client.ReplaceAsync(first, first, SmallBytes, terms, digit: 2, 2 * Expected(SmallBytes, terms)));
        await ObserveAsync(
            new ChargeObservation { Kind = ChargedKind.Delete, Bytes = SmallBytes, IndexEntries = terms, RequestUnits = 0 },
            () => client.DeleteAsync(first, first, Expected(SmallBytes, terms)));
    }

    private async Task PatchesAsync()
    {
        var id = $"terms-{CalibrationPlan.IndexedTerms[^1]}-1";
        var digit = 2;
        for (var i = 0; i < Repeats; i++)
        {
            foreach (var terms in PatchedTerms)
            {
                // Each changes what it sets: a patch to the same value would change no entry.
                digit = digit == 9 ? 2 : digit + 1;
                var now = digit;
                await ObserveAsync(
                    new ChargeObservation
                    {
                        Kind = ChargedKind.Patch, Bytes = SmallBytes, IndexEntries = 2 * terms, Operations = terms, RequestUnits = 0,
                    },
                    () => client.PatchAsync(id, id, terms, now, 2 * Expected(SmallBytes, 2 * terms)));
            }
        }
    }

    private Task<bool> BatchAsync()
    {
        const int operations = 10;
        return ObserveAsync(
            new ChargeObservation { Kind = ChargedKind.Batch, Bytes = SmallBytes, Operations = operations, RequestUnits = 0 },
            () => client.BatchAsync(
                [.. Enumerable.Range(0, operations).Select(i => $"batch-{i}")], "batch", SmallBytes, operations * Expected(SmallBytes, 0)));
    }

    private async Task QueriesAsync()
    {
        foreach (var documents in QueryDocuments)
        {
            var key = $"query-{documents}";
            for (var i = 0; i < documents; i++)
                await CallAsync(() => client.CreateAsync($"{key}-{i}", key, SmallBytes, terms: 4, Expected(SmallBytes, 4)));
            await QueryAsync("SELECT * FROM c", key, 0, documents);
            await QueryAsync("SELECT * FROM c WHERE c.t0 = 1", key, 1, documents);
            await QueryAsync("SELECT * FROM c WHERE c.t0 = 1 AND c.t1 = 1", key, 2, documents);
            await QueryAsync("SELECT * FROM c WHERE c.t0 = 7", key, 1, 0);
            // No index serves an arithmetic condition, so every document is loaded and none is returned.
            await QueryAsync($"SELECT * FROM c WHERE c.{CalibrationDocument.UnindexedProperty} + 0 = 7", key, 0, documents);
        }
    }

    private async Task QueryAsync(string text, string key, int lookups, int loaded)
    {
        var returned = 0;
        var call = await CallAsync(async () =>
        {
            (var one, returned) = await client.QueryAsync(text, key, expected: 1_000);
            return one;
        });
        if (call is { Succeeded: true } done)
            data.Charges.Add(new ChargeObservation
            {
                Kind = ChargedKind.Query, Bytes = SmallBytes, RequestUnits = done.Response.RequestUnits, Lookups = lookups, Loaded = loaded,
                Returned = returned, ReturnedBytes = SmallBytes,
            });
        else if (call is { } failed)
            data.NoteError($"query '{text}'", failed.Response);
    }

    /// <summary>Adds what is charged; false where nothing was.</summary>
    private async Task<bool> ObserveAsync(ChargeObservation observation, Func<Task<CalibrationCall?>> callAsync)
    {
        var call = await CallAsync(callAsync);
        if (call is { Succeeded: true } done)
        {
            data.Charges.Add(observation with { RequestUnits = done.Response.RequestUnits });
            return true;
        }

        if (call is { } failed)
            data.NoteError($"{observation.Kind} of {observation.Bytes} bytes", failed.Response);
        return false;
    }

    /// <summary>Calls until it is neither throttled nor to be tried again; null once the cost limit is reached.</summary>
    private async Task<CalibrationCall?> CallAsync(Func<Task<CalibrationCall?>> callAsync)
    {
        for (var begun = CalibrationClient.Now(); ;)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var call = _ended ? null : await callAsync();
            if (call is not { } one)
            {
                _ended = true;
                return null;
            }

            var again = one.Throttled || one.Response.Kind is Operations.AttemptKind.Retry or Operations.AttemptKind.RetryUncertain;
            if (!again || CalibrationClient.Now() - begun > Limit.TotalSeconds)
                return one;
            await Task.Delay(
                TimeSpan.FromMilliseconds(Math.Clamp(one.Response.RetryAfter.TotalMilliseconds, 1, LongestWaitMs)), cancellationToken);
        }
    }
}
