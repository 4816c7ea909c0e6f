using System.Text;
using ScaleOut.Simulator.Direct.Wire;
using ScaleOut.Simulator.Engine.Resources;
using ScaleOut.Simulator.Protocol;

namespace ScaleOut.Simulator.Direct;

/// <summary>A container as requests name it, and what all answers about it have in common.</summary>
internal sealed class ContainerRoute
{
    private readonly byte[] _database;
    private readonly byte[] _name;

    public ContainerRoute(ReadOnlySpan<byte> database, ReadOnlySpan<byte> name, ContainerResource container)
    {
        _database = database.ToArray();
        _name = name.ToArray();
        Container = container;
        Rid = Encoding.ASCII.GetBytes(container.Rid);
        byte[] link = Encoding.UTF8.GetBytes(container.Link);
        var buffer = new byte[FrameLimits.HeadBytes + link.Length + Rid.Length + 64];
        var tokens = new FrameWriter(buffer);
        tokens.Add(ResponseTokens.OwnerName, link);
        tokens.Add(ResponseTokens.OwnerRid, Rid);
        tokens.Add(ResponseTokens.WriteQuorum, (uint)ReplicaSet.WriteQuorum);
        tokens.Add(ResponseTokens.ReplicaSetSize, (uint)ReplicaSet.Size);
        tokens.Add(ResponseTokens.ReadRegions, 0u);
        AnswerTokens = buffer[FrameLimits.HeadBytes..tokens.Length];
    }

    public ContainerResource Container { get; }

    /// <summary>The resource id in ASCII.</summary>
    public byte[] Rid { get; }

    /// <summary>Tokens that every answer about the container has.</summary>
    public byte[] AnswerTokens { get; }

    public bool IsNamed(ReadOnlySpan<byte> database, ReadOnlySpan<byte> name) => name.SequenceEqual(_name) && database.SequenceEqual(_database);
}
