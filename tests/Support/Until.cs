namespace ScaleOut.Tests.Support;

/// <summary>Waits for another process.</summary>
internal static class Until
{
    /// <summary>What takes longer hangs.</summary>
    internal static readonly TimeSpan Timeout = TimeSpan.FromMinutes(4);

    /// <exception cref="TimeoutException">The condition does not hold in time.</exception>
    public static Task HoldsAsync(Func<bool> condition, string what) => HoldsAsync(() => Task.FromResult(condition()), what);

    /// <inheritdoc cref="HoldsAsync(Func{bool}, string)"/>
    public static async Task HoldsAsync(Func<Task<bool>> condition, string what)
    {
        var deadline = DateTimeOffset.UtcNow + Timeout;
        while (!await condition())
        {
            if (DateTimeOffset.UtcNow > deadline)
                throw new TimeoutException($"Waited too long for: {what}.");
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }
    }
}
