namespace ScaleOut.Simulator;

/// <summary>The log events of this project. Their ids are part of the interface: they are not used again for another event.</summary>
internal static partial class SimulatorLog
{
    [LoggerMessage(1, LogLevel.Warning, "Direct connection from {Client} closed: {Reason}.")]
    public static partial void DirectConnectionClosed(this ILogger logger, EndPoint? client, string reason);

    [LoggerMessage(2, LogLevel.Error, "Direct connection from {Client} closed: a request could not be processed.")]
    public static partial void DirectRequestFailed(this ILogger logger, EndPoint? client, Exception exception);

    [LoggerMessage(3, LogLevel.Error, "The Direct listener on port {Port} cannot accept connections.")]
    public static partial void DirectAcceptFailed(this ILogger logger, int port, Exception exception);

    [LoggerMessage(4, LogLevel.Information, "Partition {Partition} of {Container} cannot be {Changed}: {Reason}")]
    public static partial void PartitionNotChanged(this ILogger logger, int partition, string container, string changed, string reason);

    [LoggerMessage(5, LogLevel.Debug, "Direct connection from {Client} closed by the client or by the stop of the account: {Reason}")]
    public static partial void DirectClientGone(this ILogger logger, EndPoint? client, string reason);

    [LoggerMessage(6, LogLevel.Error, "The Gateway request {Method} {Path} could not be processed.")]
    public static partial void GatewayRequestFailed(this ILogger logger, string method, string path, Exception exception);

    [LoggerMessage(7, LogLevel.Debug, "The Gateway client on port {Port} disconnected: {Reason}")]
    public static partial void GatewayClientGone(this ILogger logger, int port, string reason);
}
