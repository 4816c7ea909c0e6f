using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Microsoft.Azure.Functions.Worker;

namespace ScaleOut.Orchestrator.Tests.Hosting;

/// <summary>
/// Messages between the Functions host and a worker (FunctionRpc), as JSON. Their classes are not public in the worker's package; their
/// descriptors are read from there, so that they are those of the version that the app uses.
/// </summary>
internal static class RpcMessages
{
    private const string WorkerAssembly = "Microsoft.Azure.Functions.Worker.Grpc";
    private const string MessageType = "Microsoft.Azure.Functions.Worker.Grpc.Messages.StreamingMessage";

    private static readonly MessageDescriptor Descriptor = (MessageDescriptor)Assembly.Load(WorkerAssembly)
        .GetType(MessageType, throwOnError: true)!
        .GetProperty("Descriptor", BindingFlags.Public | BindingFlags.Static)!
        .GetValue(null)!;

    private static readonly JsonFormatter Formatter = new(JsonFormatter.Settings.Default.WithFormatDefaultValues(false));

    public static byte[] Write(JsonObject message) => JsonParser.Default.Parse(message.ToJsonString(), Descriptor).ToByteArray();

    public static JsonObject Read(ReadOnlySpan<byte> message) =>
        JsonNode.Parse(Formatter.Format(Descriptor.Parser.ParseFrom(message)))!.AsObject();

    /// <summary>The kind of message, such as <c>invocationResponse</c>.</summary>
    public static string KindOf(JsonObject message) => message.First(field => field.Key != "requestId").Key;
}
