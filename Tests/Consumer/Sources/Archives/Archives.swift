/// A module of the program itself.
public enum Archives {
    /// Where it is from.
    public static let origin = "the program's own archives"
}
