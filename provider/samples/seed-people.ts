import { sql } from "kysely";
import { fold, foldEmail } from "#lib/text.ts";
import type { Services } from "../services.ts";
import { nameColumns, newUser } from "../sessions/signup.ts";
import { daysInMs } from "#lib/units.ts";
import * as sample from "./sample-company.ts";
import { userPasts } from "./sample-history.ts";

/** Inserts the sample's branches, its own access group and users as they are today. The founder is there already. */
export async function seedPeople({ db, now }: Services, company_id: number, password_hash: string) {
  for (const [name, country, city, index, address, phone] of sample.branches) {
    const contact = { email: `${fold(city)}@hallam.example`, phone, country, city, index, address, image_key: null };
    await db
      .insertInto("branches")
      .values({ ...contact, company_id, name, name_key: fold(name), manager_id: null, active: 1, version: 1 })
      .execute();
  }
  const branches = await db.selectFrom("branches").where("company_id", "=", company_id).selectAll().execute();
  const { name: clerks, permissions } = sample.branchClerk;
  const clerk = { ...permissions, company_id, name: clerks, name_key: fold(clerks), version: 1 };
  await db.insertInto("access_groups").values(clerk).execute();
  const groups = await db.selectFrom("access_groups").where("company_id", "=", company_id).selectAll().execute();
  for (const [name, role, staff, branchName] of [...sample.users, sample.formerUser]) {
    const branch = branches.find((branch) => branch.name === branchName)!;
    const place = { branch_id: branch.id, country: branch.country, city: branch.city, index: branch.index, role };
    const created_at = new Date(now().getTime() - daysInMs(userPasts[name]!.daysAgo)).toISOString();
    await db
      .insertInto("users")
      .values({
        ...newUser,
        ...place,
        ...nameColumns(name, sample.emailOf(name)),
        company_id,
        password_hash,
        email_proved: 1,
        taken_over: 1,
        created_at,
        access_group_id: groups.find((group) => group.name === staff)!.id,
      })
      .onConflict((conflict) =>
        conflict
          .columns(["email_key", "company_id"])
          .where(sql<boolean>`active = 1`)
          .doUpdateSet(place),
      )
      .execute();
  }
  const former = foldEmail(sample.emailOf(sample.formerUser[0]));
  await db.updateTable("users").set({ active: 0, email_proved: 0 }).where("email_key", "=", former).execute();
  for (const [branchName, , , , , , manager] of sample.branches) {
    await db
      .updateTable("branches")
      .set((eb) => ({
        manager_id: eb
          .selectFrom("users")
          .where("email_key", "=", foldEmail(sample.emailOf(manager)))
          .select("users.id"),
      }))
      .where("company_id", "=", company_id)
      .where("name", "=", branchName)
      .execute();
  }
}
