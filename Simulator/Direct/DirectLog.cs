using System.Net;
using Microsoft.Extensions.Logging;

namespace ScaleOut.Simulator.Direct;

/// <summary>What the Direct front end logs.</summary>
internal static partial class DirectLog
{
    [LoggerMessage(1, LogLevel.Warning, "Direct connection from {Client} closed: {Reason}.")]
    public static partial void ConnectionClosed(ILogger logger, EndPoint? client, string reason);

    [LoggerMessage(2, LogLevel.Error, "Direct connection from {Client} closed: a request could not be processed.")]
    public static partial void RequestFailed(ILogger logger, EndPoint? client, Exception exception);

    [LoggerMessage(3, LogLevel.Error, "The Direct listener on port {Port} cannot accept connections.")]
    public static partial void AcceptFailed(ILogger logger, int port, Exception exception);

    [LoggerMessage(5, LogLevel.Debug, "Direct connection from {Client} ended by the client or the end of the account: {Reason}")]
    public static partial void Disconnected(ILogger logger, EndPoint? client, string reason);
}
