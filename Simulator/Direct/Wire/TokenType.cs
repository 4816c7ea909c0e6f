namespace ScaleOut.Simulator.Direct.Wire;

/// <summary>How a token's value is written; all numbers are little-endian.</summary>
internal enum TokenType : byte
{
    Byte = 0x0,
    UInt16 = 0x1,
    UInt32 = 0x2,
    Int32 = 0x3,
    UInt64 = 0x4,
    Int64 = 0x5,
    Guid = 0x6,

    /// <summary>Text behind one byte of length.</summary>
    SmallString = 0x7,

    /// <summary>Text behind two bytes of length.</summary>
    String = 0x8,

    /// <summary>Text behind four bytes of length.</summary>
    LongString = 0x9,

    SmallBytes = 0xA,
    Bytes = 0xB,
    LongBytes = 0xC,
    Float = 0xD,
    Double = 0xE,
}
