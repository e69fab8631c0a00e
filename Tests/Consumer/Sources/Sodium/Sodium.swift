/// A module of the program itself.
public enum Sodium {
    /// Where it is from.
    public static let origin = "the program's own sodium"
}
