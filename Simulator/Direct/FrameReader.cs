namespace ScaleOut.Simulator.Direct;

/// <summary>Reads one connection's frames. Before it waits for the client, it sends the responses that are ready.</summary>
internal sealed class FrameReader(Stream stream, ConnectionWatch watch, ResponseQueue responses)
{
    private byte[] _buffer = new byte[16 * 1024];
    private int _start;
    private int _end;

    /// <summary>The first frame, valid until the next read; empty if the client ends the connection first.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReadHandshakeAsync()
    {
        if (!await FillAsync(FrameLimits.HeadBytes))
            return default;
        var length = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start));
        if (length is < FrameLimits.HeadBytes or > FrameLimits.MaxHandshakeBytes)
            throw new FrameException($"a handshake of {length} bytes");
        if (!await FillAsync(length))
            return default;
        _start += length;
        return _buffer.AsMemory(_start - length, length);
    }

    /// <summary>Waits for a request's head and tokens. Returns their length, or 0 if the client ends the connection.</summary>
    public async ValueTask<int> ReadHeadAsync()
    {
        if (!await FillAsync(FrameLimits.HeadBytes))
            return 0;
        var length = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start));
        if (length is < FrameLimits.HeadBytes or > FrameLimits.MaxHeaderBytes)
            throw new FrameException($"a frame that claims {length} bytes of head and tokens");
        return await FillAsync(length) ? length : 0;
    }

    /// <summary>Decodes the request and moves its frame to the exchange. False if the client ends the connection first.</summary>
    public async ValueTask<bool> TakeAsync(DirectExchange exchange, int length)
    {
        if (!RequestFrame.TryRead(_buffer.AsSpan(_start, length), exchange.Request, out exchange.Ids))
            throw new FrameException("a frame with malformed tokens");
        var body = 0;
        if (exchange.Request.Has(RequestField.PayloadPresent))
        {
            if (!await FillAsync(length + sizeof(int)))
                return false;
            body = BinaryPrimitives.ReadInt32LittleEndian(_buffer.AsSpan(_start + length));
            if (body is < 0 or > FrameLimits.MaxBodyBytes)
                throw new FrameException($"a body that claims {body} bytes");
            length += sizeof(int);
        }

        var total = length + body;
        var filled = Math.Min(total, _end - _start);
        var frame = exchange.Reserve(filled, total);
        _buffer.AsSpan(_start, filled).CopyTo(frame);
        _start += filled;
        while (filled < total)
        {
            frame = exchange.Reserve(filled, total);
            responses.Flush();
            var read = await stream.ReadAsync(frame.AsMemory(filled, Math.Min(frame.Length, total) - filled));
            if (read == 0)
                return false;
            watch.Heard(isInFrame: true);
            filled += read;
        }

        exchange.Complete(total, body);
        return true;
    }

    /// <summary>Reads until the buffer holds the given number of bytes. False if the client ends the connection first.</summary>
    private async ValueTask<bool> FillAsync(int bytes)
    {
        while (_end - _start < bytes)
        {
            MakeRoom(bytes);
            responses.Flush();
            var read = await stream.ReadAsync(_buffer.AsMemory(_end));
            if (read == 0)
                return false;
            _end += read;
            watch.Heard(isInFrame: _end - _start < bytes);
        }

        return true;
    }

    private void MakeRoom(int bytes)
    {
        var held = _end - _start;
        if (held == 0)
            _start = _end = 0;
        if (_buffer.Length - _start >= bytes && _buffer.Length > _end)
            return;
        // The buffer grows with the bytes that have arrived, never with an announced length.
        var target = bytes > _buffer.Length && held == _buffer.Length ? new byte[_buffer.Length * 2] : _buffer;
        _buffer.AsSpan(_start, held).CopyTo(target);
        _buffer = target;
        (_start, _end) = (0, held);
    }
}
