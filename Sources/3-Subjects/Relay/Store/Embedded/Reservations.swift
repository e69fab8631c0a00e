/// Space for uploads that are under way, and what is left of those that are not any more.
struct Reservations {
    private struct Reservation {
        let size: UInt32
        let deadline: Int64
        /// Nil where other uploads have the name, too.
        let leftover: BodyName?
    }

    /// By the chunk and the upload.
    private var current: [BodyName: Reservation] = [:]
    /// What all of them have, in bytes.
    private(set) var space: Int64 = 0
    /// Names of bodies that may be there, and that no records will ever have.
    private(set) var leftovers: [BodyName] = []

    private static func key(_ reservation: BodyReservation) -> BodyName {
        BodyName(chunk: reservation.chunk, upload: reservation.upload)
    }

    /// The deadline of a reservation.
    /// - Returns: nil for one that is not there, or not any more.
    func deadline(_ chunk: StoredID, upload: UInt64) -> Int64? {
        current[BodyName(chunk: chunk, upload: upload)]?.deadline
    }

    func contains(_ reservation: BodyReservation) -> Bool { current[Self.key(reservation)] != nil }

    mutating func add(_ reservation: BodyReservation, sharesName: Bool) {
        space += Int64(reservation.size)
        current[Self.key(reservation)] = Reservation(
            size: reservation.size, deadline: reservation.deadline,
            leftover: sharesName ? nil : reservation.name)
    }

    mutating func remove(_ reservation: BodyReservation) {
        guard let removed = current.removeValue(forKey: Self.key(reservation)) else { return }
        space -= Int64(removed.size)
    }

    /// Frees the space of those whose time is over.
    mutating func removeDead(at now: Int64) {
        for (key, reservation) in current where reservation.deadline < now {
            current[key] = nil
            space -= Int64(reservation.size)
            if let name = reservation.leftover { leftovers.append(name) }
        }
    }

    /// Bytes that were not removed when their upload ended.
    mutating func leave(_ name: BodyName) { leftovers.append(name) }

    mutating func takeLeftovers() -> [BodyName] {
        defer { leftovers = [] }
        return leftovers
    }
}
