namespace ScaleOut.Http;

/// <summary>What something that is started will cost at least.</summary>
/// <param name="Currency">Of the prices that the server was given.</param>
/// <param name="Amount">Throughput for each hour that is begun, and the workers' time.</param>
internal sealed record StartCost(string Currency, double Amount);
